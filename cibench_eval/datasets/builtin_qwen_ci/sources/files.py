"""The files that come with questions, from a seed: the same bytes each time."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from PIL import Image

EPOCH = (1980, 1, 1, 0, 0, 0)
"""When every member of an archive was written."""


def sales(draw: random.Random) -> str:
    rows = ['month,region,product,units,revenue']
    prices = {'kettle': 29.9, 'lamp': 18.5, 'radio': 44.0}
    for month in range(1, 13):
        for region in ('north', 'south', 'west'):
            for product, price in prices.items():
                units = draw.randint(20, 90) + 3 * month
                rows.append(f'2023-{month:02d},{region},{product},{units},{units * price:.2f}')
    return '\n'.join(rows) + '\n'


def weather(draw: random.Random) -> str:
    rows, day = ['date,low,high,rain_mm'], date(2023, 1, 1)
    for number in range(365):
        season = 12 - 11 * abs((number - 200) / 182.5)
        low = season + draw.gauss(0, 2.5)
        rain = max(0.0, draw.gauss(-2, 5))
        rows.append(f'{day + timedelta(number)},{low:.1f},{low + draw.uniform(4, 11):.1f},{rain:.1f}')
    return '\n'.join(rows) + '\n'


def students(draw: random.Random) -> str:
    rows = ['name,class,math,physics,chemistry,hours']
    for number in range(60):
        hours = draw.uniform(2, 20)
        marks = [min(100, max(20, draw.gauss(45 + 2.2 * hours, 9))) for _ in range(3)]
        rows.append(f'S{number + 1:02d},{"ABC"[number % 3]},' + ','.join(f'{mark:.0f}' for mark in marks) + f',{hours:.1f}')
    return '\n'.join(rows) + '\n'


def survey(draw: random.Random) -> str:
    rows = ['城市,年龄,月收入,满意度,交通方式']
    ways = ('地铁', '公交', '自行车', '步行', '汽车')
    for _ in range(150):
        age = draw.randint(18, 65)
        income = round(draw.gauss(6000 + 60 * age, 1500), -2)
        row = (draw.choice(('杭州', '成都', '西安', '青岛')), age, f'{income:.0f}', draw.randint(1, 5), draw.choice(ways))
        rows.append(','.join(map(str, row)))
    return '\n'.join(rows) + '\n'


def stock(draw: random.Random) -> str:
    rows, close, day = ['date,open,high,low,close,volume'], 50.0, date(2023, 9, 1)
    while len(rows) <= 60:
        if day.weekday() < 5:
            start = close + draw.gauss(0, 0.3)
            close = max(5.0, start + draw.gauss(0.05, 1.1))
            top, bottom = max(start, close) + draw.uniform(0, 0.8), min(start, close) - draw.uniform(0, 0.8)
            rows.append(f'{day},{start:.2f},{top:.2f},{bottom:.2f},{close:.2f},{draw.randint(20, 90) * 1000}')
        day += timedelta(1)
    return '\n'.join(rows) + '\n'


def budget(draw: random.Random) -> str:
    parts = {
        '工资': {'教师': 5200, '行政': 1800},
        '设备': {'电脑': 900, '实验室': 1300, '图书': 400},
        '活动': {'运动会': 250, '旅行': 350},
    }
    return json.dumps({'学校': '第一中学', '年份': 2023, '支出': parts}, ensure_ascii=False, indent=2) + '\n'


def orders(draw: random.Random, customers: str) -> str:
    rows = ['order_id;customer;amount;ordered']
    for number in range(40):
        amount = f'{draw.uniform(5, 300):.2f}'.replace('.', ',')
        day = date(2023, 3, 1) + timedelta(draw.randint(0, 90))
        name = draw.choice(customers)
        rows.append(f'{1000 + number};{draw.choice((name, name.lower(), f" {name}"))};{amount};{day:%d.%m.%Y}')
        if number % 9 == 4:
            rows.append(rows[-1])
    return '\n'.join(rows) + '\n'


def customers(draw: random.Random) -> str:
    cities = ('Lyon', 'Porto', 'Graz', 'Turku')
    return 'id,city\n' + ''.join(f'{name},{draw.choice(cities)}\n' for name in 'ABCDEFG')


def log(draw: random.Random) -> str:
    rows = []
    for number in range(300):
        second = number * 37 % 86400
        host = f'10.0.0.{draw.randint(1, 12)}'
        path, status = draw.choice(('/', '/login', '/cart', '/img/a.png')), draw.choice((200,) * 12 + (404, 404, 500))
        time = f'12/May/2023:{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d} +0200'
        rows.append(f'{host} - - [{time}] "GET {path} HTTP/1.1" {status} {draw.randint(200, 9000)}')
    return '\n'.join(rows) + '\n'


def contacts(draw: random.Random) -> str:
    names = ('Ida Brandt', 'Leo Moreau', 'Nuria Vidal', 'Petr Novak', 'Aino Laine', 'Marco Bassi')
    lines = ['Guests of the spring meeting', '']
    for name in names:
        mail = f'{name.lower().replace(" ", ".")}@example.org'
        phone = f'+{draw.randint(30, 49)} {draw.randint(100, 999)} {draw.randint(1000000, 9999999)}'
        lines.append(draw.choice((f'{name} <{mail}>, {phone}', f'{name}: call {phone} or write to {mail}.', f'{mail} ({name})')))
    return '\n'.join([*lines, '', 'Ida Brandt <ida.brandt@example.org> asked twice.']) + '\n'


def products(draw: random.Random) -> str:
    rows = ''.join(
        f'<tr><td>{name}</td><td class="price">€{draw.uniform(3, 60):.2f}</td><td>{draw.randint(0, 40)}</td></tr>\n'
        for name in ('Teapot', 'Mug', 'Bowl &amp; plate', 'Jar', 'Vase', 'Tray')
    )
    head = '<tr><th>Product</th><th>Price</th><th>In stock</th></tr>'
    return f'<!DOCTYPE html>\n<html><head><title>Pottery</title></head><body>\n<table>{head}\n{rows}</table></body></html>\n'


def news(draw: random.Random) -> str:
    titles = ('博物馆延长开放时间', '新地铁线开通', '周末有大雨', '图书节闭幕', '自行车道扩建')
    items = ''.join(f'<li><a href="/news/{n}.html">{title}</a> <span>2023-05-{n + 9:02d}</span></li>\n' for n, title in enumerate(titles))
    return f'<html><head><meta charset="utf-8"><title>城市新闻</title></head><body><ul>\n{items}</ul>\n<a href="/about">关于</a></body></html>\n'


def jobs(draw: random.Random, page: int) -> str:
    cards = ''.join(
        f'<div class="job"><h2>{title}</h2><p>{draw.choice(("Lyon", "Graz"))}</p><b>{draw.randint(28, 60)}k</b></div>\n'
        for title in (('Baker', 'Nurse', 'Pilot') if page == 1 else ('Tailor', 'Welder', 'Nurse'))
    )
    return f'<html><body>\n{cards}<a class="next" href="jobs_{page + 1}.html">next</a></body></html>\n'


def books(draw: random.Random) -> str:
    titles = ('Rivers', 'Salt and Wind', 'The Clock', 'Bread', 'Nine Hills')
    rows = ''.join(
        f'  <book id="b{number}"><title>{title}</title><year>{draw.randint(1950, 2020)}</year>'
        f'<price currency="EUR">{draw.uniform(5, 30):.2f}</price></book>\n'
        for number, title in enumerate(titles, 1)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<library>\n{rows}</library>\n'


def speech(draw: random.Random) -> str:
    words = 'river town water people stone bridge summer market children boat light winter road song garden'.split()
    return '\n'.join(' '.join(draw.choice(words) for _ in range(12)).capitalize() + '.' for _ in range(40)) + '\n'


def readings(draw: random.Random) -> str:
    lines = []
    for number in range(80):
        value = 'n/a' if number % 13 == 5 else f'{draw.gauss(20, 3):.2f}'
        lines.append(json.dumps({'sensor': f's{number % 4}', 'time': 1683000000 + 600 * number, 'value': value}))
    return '\n'.join(lines) + '\n'


def config(draw: random.Random) -> str:
    return '[server]\nhost = localhost\nport = 8080\n\n[paths]\ndata = /srv/data\nlogs = /srv/logs\n\n[limits]\nusers = 25\n'


def override(draw: random.Random) -> str:
    return json.dumps({'server': {'port': 9090, 'debug': True}, 'limits': {'users': 40}}, indent=1) + '\n'


def picture(draw: random.Random) -> bytes:
    image = Image.new('RGB', (160, 100))
    image.putdata([(x * 255 // 159, y * 255 // 99, (x + y) % 256) for y in range(100) for x in range(160)])
    file = io.BytesIO()
    image.save(file, 'PNG')
    return file.getvalue()


def archive(draw: random.Random) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, 'w', zipfile.ZIP_DEFLATED) as made:
        for number in range(1, 6):
            text = ' '.join(draw.choice(('rain', 'sun', 'snow', 'fog')) for _ in range(draw.randint(10, 40)))
            made.writestr(zipfile.ZipInfo(f'notes/day{number}.txt', EPOCH), text)
    return file.getvalue()


def shop(draw: random.Random) -> bytes:
    made = sqlite3.connect(':memory:')
    made.execute('create table products (id integer primary key, name text, price real)')
    made.execute('create table orders (id integer primary key, product integer, count integer, day text)')
    made.executemany('insert into products values (?, ?, ?)', [(1, 'pen', 1.5), (2, 'book', 12.0), (3, 'bag', 30.0)])
    rows = [(n, draw.randint(1, 3), draw.randint(1, 9), f'2023-06-{draw.randint(1, 28):02d}') for n in range(1, 51)]
    made.executemany('insert into orders values (?, ?, ?, ?)', rows)
    made.commit()
    return bytes(made.serialize())


def letter(draw: random.Random) -> bytes:
    return '尊敬的客户：\n您的订单已经发出，预计三天内送达。\n如有问题，请拨打客服电话。\n'.encode('gbk')


FILES: dict[str, Callable[[random.Random], str | bytes]] = {
    'sales.csv': sales,
    'weather.csv': weather,
    'students.csv': students,
    'survey.csv': survey,
    'stock.csv': stock,
    'budget.json': budget,
    'orders_spring.csv': lambda draw: orders(draw, 'ABCDE'),
    'orders_summer.csv': lambda draw: orders(draw, 'CDEFG'),
    'customers.csv': customers,
    'access.log': log,
    'contacts.txt': contacts,
    'products.html': products,
    'news.html': news,
    'jobs_1.html': lambda draw: jobs(draw, 1),
    'jobs_2.html': lambda draw: jobs(draw, 2),
    'books.xml': books,
    'speech.txt': speech,
    'readings.jsonl': readings,
    'config.ini': config,
    'override.json': override,
    'picture.png': picture,
    'notes.zip': archive,
    'shop.sqlite': shop,
    'letter.txt': letter,
}


def make(folder: Path, seed: int = 20231206) -> None:
    """Write every file."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, made) in enumerate(FILES.items()):
        content = made(random.Random(seed + number))
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
