"""The concluding remarks: minimum card fill-in, in two and in D dimensions."""

from uno_csp import parse, solve

for question in (
    {"question": "fill-in", "cards": [["red", 5], ["blue", 7], ["green", 9]]},
    {"question": "fill-in", "cards": [[1, 1, 1], [2, 2, 2]], "at_least": 1},
    {"question": "fill-in", "cards": [[1, 1, 1], [2, 2, 2]], "at_least": 2},
    {"question": "fill-in", "cards": ["R5", "B7"], "supply": ["R7", "W"], "costs": [1, 5]},
    {"question": "longest", "cards": [["red", 5], ["blue", 7], ["red", 9], ["green", 9]]},
):
    answer = solve(parse(question))
    print(f"{question['question']}: {answer.status} {answer.objective}")
