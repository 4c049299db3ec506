"""What the studies of a session of claims are about."""

from dataclasses import dataclass

from cibench_eval.schema import Language


@dataclass(frozen=True)
class StudyWords:
    """The words of a topic in a language."""

    units: str
    treatment: str
    outcome: str
    measure: str


@dataclass(frozen=True)
class StudyTopic:
    """A study: its name, the column of its outcome, the usual outcome, and its words."""

    name: str
    column: str
    usual: float
    words: dict[Language, StudyWords]


def _topics(table: str) -> list[StudyTopic]:
    topics = []
    for line in table.strip().splitlines():
        name, column, usual, *words = map(str.strip, line.split('|'))
        topics.append(
            StudyTopic(name, column, float(usual), {'en': StudyWords(*words[:4]), 'cn': StudyWords(*words[4:])})
        )
    return topics


TOPICS = _topics(
    """
coaching|turnover|80|shops|coaching of the staff|the weekly turnover|thousand euros|店铺|员工辅导|每周销售额|千欧元
breakfast|score|60|pupils|a free breakfast|the test score|points|学生|免费早餐|考试成绩|分
lamps|output|210|workplaces|brighter lamps|the daily output|pieces|工位|更亮的灯|日产量|件
letters|donation|45|members|a letter written by hand|the yearly donation|euros|会员|手写信|年捐款额|欧元
walks|steps|7200|employees|walks at noon|the number of daily steps|steps|员工|午间散步|每日步数|步
mulch|yield|36|fields|straw mulch|the yield|kilograms|田块|秸秆覆盖|产量|千克
reminders|visits|11|patients|reminders by phone|the number of visits in a year|visits|患者|电话提醒|全年就诊次数|次
music|stay|52|guests|slow music|the length of a stay|minutes|客人|慢音乐|停留时间|分钟
insulation|saving|900|houses|insulation of the roof|the yearly saving|euros|房屋|屋顶保温|年节省额|欧元
tutoring|words|310|learners|tutoring in pairs|the number of words known|words|学习者|结对辅导|词汇量|个
oiling|hours|150|machines|weekly oiling|the time between failures|hours|机器|每周上润滑油|故障间隔时间|小时
recipes|orders|27|customers|recipes in the parcel|the number of orders in a year|orders|顾客|包裹内附菜谱|全年订单数|单
netting|berries|640|bushes|netting|the harvest of berries|grams|灌木|防鸟网|一季浆果重量|克
garden|sleep|430|residents|work in the garden|the sleep at night|minutes|住户|园艺活动|每晚睡眠|分钟
signs|speed|48|roads|signs that smile|the mean speed|km/h|道路|笑脸标志|平均车速|公里/小时
parking|turnover|75|stalls|free parking|the daily turnover|euros|摊位|免费停车|日营业额|欧元
"""
)
