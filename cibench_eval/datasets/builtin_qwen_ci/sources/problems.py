"""Word problems in the form of GSM8K, from a seed: the question, the calculator's work, the answer.

Each function is a template: it draws its numbers and tells the problem. `Work` writes the explanation, in which every
result is computed, so an annotation is true by construction.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

Problem = tuple[str, str]
"""Question and answer."""
EACH = 5
"""Problems of a template."""


class UntidyError(Exception):
    """The numbers that were drawn make no good problem; others are drawn."""


class Work:
    """An explanation: sentences with what the calculator did."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.last = Fraction(0)

    def step(self, sentence: str, term: str, unit: str = '') -> str:
        """Add a sentence with the result of a term at its end; return the result as it is written."""
        self.last = value(term)
        result = written(self.last)
        self.sentences.append(f'{sentence} {term} = <<{term}={result}>>{result}{unit}.')
        return result

    @property
    def answer(self) -> str:
        return '\n'.join([*self.sentences, f'#### {written(self.last)}'])


def value(term: str) -> Fraction:
    """A sum, product … of decimal numbers, exactly."""
    exact = ''.join(f"Fraction('{word}')" if word[0].isdigit() else word for word in words(term))
    return Fraction(eval(exact, {'Fraction': Fraction, '__builtins__': {}}))  # noqa: S307 - our own terms


def words(term: str) -> list[str]:
    """Its numbers and signs."""
    found: list[str] = []
    for letter in term:
        if found and letter in '0123456789.' and found[-1][0] in '0123456789.':
            found[-1] += letter
        else:
            found.append(letter)
    return found


def written(number: Fraction) -> str:
    """Whole, or with at most two decimals.

    Raises:
        UntidyError: it is neither, or below 0.
    """
    if number < 0 or (number * 100).denominator != 1:
        raise UntidyError
    if number.denominator == 1:
        return str(number.numerator)
    return f'{float(number):.2f}'.rstrip('0')


def bakery(draw: random.Random, w: Work) -> str:
    trays, each, burnt, price = draw.randint(4, 9), draw.randint(12, 24), draw.randint(3, 11), draw.randint(2, 4)
    baked = w.step('The trays hold', f'{trays}*{each}', ' rolls')
    left = w.step('Without the burnt ones there are', f'{baked}-{burnt}', ' rolls')
    w.step('They bring in', f'{left}*{price}', ' dollars')
    return (
        f'A bakery bakes {trays} trays of {each} rolls before dawn. {burnt} rolls are burnt and thrown away, and all the '
        f'others are sold for ${price} each. How many dollars does the bakery take for its rolls?'
    )


def ferry(draw: random.Random, w: Work) -> str:
    cars, people, trips, adults = draw.randint(20, 40), draw.randint(2, 4), draw.randint(3, 6), draw.randint(5, 15)
    riding = w.step('In the cars sit', f'{cars}*{people}', ' people')
    whole = w.step('With those on foot a trip carries', f'{riding}+{adults}', ' people')
    w.step('All trips carry', f'{whole}*{trips}', ' people')
    return (
        f'On each of its {trips} trips a day a ferry carries {cars} cars with {people} people in each, and {adults} people '
        'on foot. How many people does it carry in a day?'
    )


def library(draw: random.Random, w: Work) -> str:
    shelves, books, share, new = draw.randint(6, 12), draw.choice([40, 60, 80]), draw.choice([5, 10, 20]), draw.randint(15, 60)
    there = w.step('There were', f'{shelves}*{books}', ' books')
    lent = w.step('Lent out are', f'{there}/{share}', ' books')
    left = w.step('On the shelves stay', f'{there}-{lent}', ' books')
    w.step('With the new ones there are', f'{left}+{new}', ' books')
    return (
        f'A village library has {shelves} shelves with {books} books each. One book in {share} is lent out, and {new} new '
        'books are put on the shelves. How many books stand on the shelves now?'
    )


def painter(draw: random.Random, w: Work) -> str:
    long, high, walls, tin = draw.randint(4, 7), draw.choice([2.5, 3]), 4, draw.choice([1.25, 0.75])
    each = w.step('A wall has', f'{long}*{high}', ' square metres')
    area = w.step('All walls have', f'{walls}*{each}', ' square metres')
    door = draw.randint(2, 4)
    left = w.step('Without the door and the window these are', f'{area}-{door}', ' square metres')
    w.step('The paint costs', f'{left}*{tin}', ' dollars')
    return (
        f'A square room has walls {long} metres long and {high} metres high. Its door and window take {door} square metres '
        f'in all, which are not painted. Paint for a square metre costs ${tin:.2f}. What does the paint for the walls cost, '
        'in dollars?'
    )


def train(draw: random.Random, w: Work) -> str:
    speed, hours, more, rest = draw.choice([80, 90, 120]), draw.randint(2, 4), draw.choice([10, 20, 30]), draw.randint(1, 3)
    first = w.step('At first it goes', f'{speed}*{hours}', ' km')
    faster = w.step('Then its speed is', f'{speed}+{more}', ' km/h')
    second = w.step('At that speed it goes', f'{faster}*{rest}', ' km')
    w.step('In all it goes', f'{first}+{second}', ' km')
    return (
        f'A train goes {speed} km/h for {hours} hours, then {more} km/h faster for {rest} more '
        f'hour{"s" if rest > 1 else ""}. How many kilometres does it go?'
    )


def discount(draw: random.Random, w: Work) -> str:
    price, off, count, coupon = draw.choice([40, 60, 80, 120]), draw.choice([10, 15, 25]), draw.randint(2, 4), draw.randint(3, 9)
    less = w.step('The sale takes off', f'{price}*{off}/100', ' dollars')
    each = w.step('A jacket costs', f'{price}-{less}', ' dollars')
    whole = w.step('All of them cost', f'{each}*{count}', ' dollars')
    w.step('With the coupon this is', f'{whole}-{coupon}', ' dollars')
    return (
        f'A jacket costs ${price}. In a sale it is {off}% cheaper. Mina buys {count} of them and has a coupon that takes '
        f'${coupon} off the whole bill. How many dollars does she pay?'
    )


def ages(draw: random.Random, w: Work) -> str:
    child, times, years = draw.randint(4, 9), draw.randint(4, 6), draw.randint(5, 12)
    now = w.step('The grandmother is', f'{child}*{times}*2', ' years old')
    then = w.step('Later she is', f'{now}+{years}', ' years old')
    small = w.step('The child is then', f'{child}+{years}', ' years old')
    w.step('The difference is', f'{then}-{small}', ' years')
    return (
        f'Ola is {child} years old. Her mother is {times} times as old, and her grandmother is twice as old as her mother. '
        f'How many years older than Ola will her grandmother be in {years} years?'
    )


def orchard(draw: random.Random, w: Work) -> str:
    rows, trees, kilos, bad = draw.randint(8, 15), draw.randint(10, 20), draw.choice([20, 30, 40]), draw.choice([10, 20, 25])
    count = w.step('There are', f'{rows}*{trees}', ' trees')
    whole = w.step('They bear', f'{count}*{kilos}', ' kg')
    lost = w.step('Not good are', f'{whole}*{bad}/100', ' kg')
    w.step('To be sold are', f'{whole}-{lost}', ' kg')
    return (
        f'An orchard has {rows} rows of {trees} trees. Each tree bears {kilos} kg of apples, of which {bad}% are not good '
        'enough to be sold. How many kilograms can be sold?'
    )


def pool(draw: random.Random, w: Work) -> str:
    first, second, leak, hours = draw.randint(30, 60), draw.randint(20, 40), draw.randint(5, 15), draw.randint(4, 9)
    inflow = w.step('The pipes bring', f'{first}+{second}', ' litres an hour')
    net = w.step('With the leak it gains', f'{inflow}-{leak}', ' litres an hour')
    w.step('Then it holds', f'{net}*{hours}', ' litres')
    return (
        f'Two pipes fill an empty basin with {first} and {second} litres an hour, and it leaks {leak} litres an hour. How '
        f'many litres are in it after {hours} hours?'
    )


def savings(draw: random.Random, w: Work) -> str:
    start, week, weeks, spent = draw.randint(20, 90), draw.randint(6, 15), draw.randint(6, 14), draw.randint(15, 50)
    saved = w.step('He puts aside', f'{week}*{weeks}', ' dollars')
    whole = w.step('With what he had this is', f'{start}+{saved}', ' dollars')
    w.step('After the game he has', f'{whole}-{spent}', ' dollars')
    return (
        f'Tomas has ${start}. He puts ${week} aside every week for {weeks} weeks, then buys a game for ${spent}. How many '
        'dollars does he have left?'
    )


def classes(draw: random.Random, w: Work) -> str:
    girls, more, buses = draw.randint(11, 19), draw.randint(2, 8), draw.randint(2, 3)
    boys = w.step('There are', f'{girls}+{more}', ' boys')
    children = w.step('A class has', f'{girls}+{boys}', ' children')
    every = w.step('The classes have', f'{children}*{2 * buses}', ' children')
    w.step('In a bus sit', f'{every}/{buses}', ' children')
    return (
        f'Each of the {2 * buses} classes of a school has {girls} girls and {more} more boys than girls. They all travel in '
        f'{buses} buses, as many children in each. How many children sit in a bus?'
    )


def recipe(draw: random.Random, w: Work) -> str:
    grams, serves, guests, packet = draw.choice([200, 240, 300]), 4, draw.choice([10, 14, 18, 22]), 100
    each = w.step('A person needs', f'{grams}/{serves}', ' g')
    needed = w.step('All guests need', f'{each}*{guests}', ' g')
    w.step('In packets this is', f'{needed}/{packet}', ' packets')
    return (
        f'A soup for {serves} people takes {grams} g of lentils, which are sold in packets of {packet} g. How many packets, '
        f'as a decimal number, hold what a soup for {guests} people takes?'
    )


def workers(draw: random.Random, w: Work) -> str:
    people, days, gone = draw.randint(5, 12), draw.randint(8, 20), draw.randint(1, 3)
    whole = w.step('The wall takes', f'{people}*{days}', ' days of work')
    half = w.step('Half of it is', f'{whole}/2', ' days of work')
    left = w.step('Then there are', f'{people}-{gone}', ' workers')
    w.step('For the other half they have to do, each,', f'{half}/{left}', ' days')
    return (
        f'{people} workers would build a wall in {days} days. When half of it stands, {gone} of them '
        f'leave{"s" if gone == 1 else ""}. How many days do the others need for the other half?'
    )


def taxi(draw: random.Random, w: Work) -> str:
    base, rate, km, tip = draw.choice([3, 4.5]), draw.choice([1.5, 2, 2.5]), draw.randint(6, 18), draw.randint(2, 5)
    way = w.step('The way costs', f'{rate}*{km}', ' dollars')
    fare = w.step('With the base the fare is', f'{way}+{base}', ' dollars')
    w.step('With the tip she pays', f'{fare}+{tip}', ' dollars')
    return (
        f'A taxi costs ${base:.2f} and ${rate:.2f} for each kilometre. Ana rides {km} km and gives a tip of ${tip}. How '
        'many dollars does she pay?'
    )


def garden(draw: random.Random, w: Work) -> str:
    long, wide, path = draw.randint(12, 25), draw.randint(6, 11), draw.randint(1, 2)
    whole = w.step('The garden has', f'{long}*{wide}', ' square metres')
    inner_long = w.step('Without the path it is, in length,', f'{long}-2*{path}', ' m')
    inner_wide = w.step('and in width', f'{wide}-2*{path}', ' m')
    inner = w.step('The lawn has', f'{inner_long}*{inner_wide}', ' square metres')
    w.step('The path has', f'{whole}-{inner}', ' square metres')
    return (
        f'A garden is {long} m long and {wide} m wide. A path {path} m wide runs inside along all four sides, and the rest '
        'is lawn. How many square metres does the path have?'
    )


def medals(draw: random.Random, w: Work) -> str:
    gold, silver, bronze = draw.randint(3, 9), draw.randint(4, 12), draw.randint(5, 15)
    three = w.step('Gold gives', f'{gold}*3', ' points')
    two = w.step('Silver gives', f'{silver}*2', ' points')
    both = w.step('Together these are', f'{three}+{two}', ' points')
    w.step('With bronze there are', f'{both}+{bronze}', ' points')
    return (
        f'A gold medal counts 3 points, a silver one 2 and a bronze one 1. A club wins {gold} gold, {silver} silver and '
        f'{bronze} bronze medals. How many points is that?'
    )


def pages(draw: random.Random, w: Work) -> str:
    day, days, left = draw.randint(14, 30), draw.randint(4, 8), draw.randint(20, 90)
    read = w.step('He has read', f'{day}*{days}', ' pages')
    whole = w.step('The book has', f'{read}+{left}', ' pages')
    rest = draw.choice([2, 4, 5])
    more = value(f'{left}/{rest}')
    if more.denominator > 2:
        w.step('Twice over these are', f'{whole}*2', ' pages')
        return (
            f'Pavel reads {day} pages a day. After {days} days he has {left} pages left. His sister has read the same book '
            'twice. How many pages has his sister read?'
        )
    w.step('He has to read', f'{left}/{rest}', ' pages a day')
    return (
        f'Pavel reads {day} pages a day. After {days} days he has {left} pages left, and wants to be done in {rest} more '
        'days, with as many pages each day. How many pages a day are these?'
    )


def mixture(draw: random.Random, w: Work) -> str:
    a, b, pa, pb = draw.choice([2, 4, 6]), draw.choice([4, 6, 8]), draw.choice([9, 12]), draw.choice([6, 15])
    first = w.step('The first kind costs', f'{a}*{pa}', ' dollars')
    second = w.step('The second costs', f'{b}*{pb}', ' dollars')
    whole = w.step('Together they cost', f'{first}+{second}', ' dollars')
    w.step('Sold with a quarter more, this brings', f'{whole}*1.25', ' dollars')
    return (
        f'A shop mixes {a} kg of tea at ${pa} a kilogram with {b} kg at ${pb} a kilogram, and sells the mixture for a '
        'quarter more than it has cost. How many dollars does it take?'
    )


def steps(draw: random.Random, w: Work) -> str:
    monday, times, wednesday = draw.choice([4000, 5200, 6400]), draw.choice([2, 3]), draw.choice([1500, 2500])
    tuesday = w.step('On Tuesday she went', f'{monday}*{times}/2', ' steps')
    both = w.step('On both days these are', f'{monday}+{tuesday}', ' steps')
    whole = w.step('With Wednesday she has', f'{both}+{wednesday}', ' steps')
    w.step('To the goal there are left', f'30000-{whole}', ' steps')
    return (
        f'Lena wants to go 30000 steps from Monday to Friday. She goes {monday} on Monday, {times} times half of that on '
        f'Tuesday, and {wednesday} on Wednesday. How many steps are left for the other two days?'
    )


def candles(draw: random.Random, w: Work) -> str:
    wax, each, sold, price, cost = draw.choice([1200, 1800, 2400]), draw.choice([60, 75, 100]), draw.randint(8, 11), draw.randint(5, 8), draw.randint(10, 25)
    made = w.step('The wax makes', f'{wax}/{each}', ' candles')
    left = w.step('Not sold are', f'{made}-{sold}', ' candles')
    income = w.step('The sold ones bring', f'{sold}*{price}', ' dollars')
    given = w.step('The others bring half as much each:', f'{left}*{price}/2', ' dollars')
    whole = w.step('Together these are', f'{income}+{given}', ' dollars')
    w.step('After the costs there remain', f'{whole}-{cost}', ' dollars')
    return (
        f'From {wax} g of wax Idris makes candles of {each} g each. He sells {sold} of them for ${price} each and all others '
        f'for half of that. The wax has cost ${cost}. How many dollars does he gain?'
    )


def phone(draw: random.Random, w: Work) -> str:
    month, gb, used, extra = draw.choice([15, 20]), draw.choice([8, 10]), draw.randint(12, 16), draw.choice([1.5, 2.25])
    over = w.step('Over the limit are', f'{used}-{gb}', ' GB')
    cost = w.step('They cost', f'{over}*{extra}', ' dollars')
    w.step('The month costs', f'{month}+{cost}', ' dollars')
    return (
        f'A phone plan costs ${month} a month with {gb} GB, and ${extra:.2f} for each further GB. What does a month with '
        f'{used} GB cost, in dollars?'
    )


def marbles(draw: random.Random, w: Work) -> str:
    bag, bags, friends = draw.choice([24, 30, 36]), draw.choice([2, 4]), 3
    there = w.step('There are', f'{bag}*{bags}', ' marbles')
    share = w.step('Each friend gets', f'{there}/{friends}', ' marbles')
    lost = draw.randint(2, 7)
    w.step('After the game one friend has', f'{share}-{lost}', ' marbles')
    return (
        f'{friends} friends share {bags} bags of {bag} marbles equally. One of them then loses {lost}. How many marbles does '
        'that friend have?'
    )


def parking(draw: random.Random, w: Work) -> str:
    first, next_, hours, cap = draw.randint(3, 5), draw.choice([1.5, 2, 2.5]), draw.randint(4, 9), draw.randint(2, 4)
    more = w.step('After the first hour there are', f'{hours}-1', ' hours')
    cost = w.step('They cost', f'{more}*{next_}', ' dollars')
    day = w.step('A day costs', f'{first}+{cost}', ' dollars')
    w.step('All days cost', f'{day}*{cap}', ' dollars')
    return (
        f'A car park takes ${first} for the first hour and ${next_:.2f} for each hour after it. Rosa parks for {hours} hours '
        f'on each of {cap} days. How many dollars does she pay in all?'
    )


def solar(draw: random.Random, w: Work) -> str:
    panels, power, sun, used = draw.randint(8, 16), draw.choice([0.25, 0.5]), draw.choice([4, 6]), draw.randint(2, 5)
    peak = w.step('The panels give', f'{panels}*{power}', ' kW')
    energy = w.step('In a day they bring', f'{peak}*{sun}', ' kWh')
    left = w.step('After what the house uses there are left', f'{energy}-{used}', ' kWh')
    w.step('In a week these are', f'{left}*7', ' kWh')
    return (
        f'{panels} solar panels of {power} kW each get {sun} hours of full sun a day. The house uses {used} kWh a day, and '
        'the rest is sold. How many kWh are sold in a week?'
    )


def choir(draw: random.Random, w: Work) -> str:
    altos, ratio, joined = draw.randint(6, 12), draw.choice([2, 3]), draw.randint(3, 9)
    high = w.step('There are', f'{altos}*{ratio}', ' sopranos')
    both = w.step('Together they are', f'{altos}+{high}', ' singers')
    men = w.step('The men are', f'{both}/{ratio + 1}', ' singers')
    whole = w.step('All are', f'{both}+{men}', ' singers')
    w.step('With the new ones there are', f'{whole}+{joined}', ' singers')
    return (
        f'A choir has {altos} altos and {ratio} times as many sopranos. For every {ratio + 1} women there is one man. Then '
        f'{joined} people join. How many singers are there now?'
    )


TEMPLATES: tuple[Callable[[random.Random, Work], str], ...] = (
    bakery,
    ferry,
    library,
    painter,
    train,
    discount,
    ages,
    orchard,
    pool,
    savings,
    classes,
    recipe,
    workers,
    taxi,
    garden,
    medals,
    pages,
    mixture,
    steps,
    candles,
    phone,
    marbles,
    parking,
    solar,
    choir,
)


def problems(seed: int = 20231206) -> list[Problem]:
    """The problems of a seed, no two of them alike: each template once, then each once more, and so on."""
    draw = random.Random(seed)
    found: dict[str, str] = {}
    for template in TEMPLATES * EACH:
        while True:
            work = Work()
            try:
                question = template(draw, work)
            except UntidyError:
                continue
            if question not in found and work.last > 0:
                found[question] = work.answer
                break
    return list(found.items())
