"""Theorem 4.2: a maximum matching decides uncooperative UNO of two, and gives the strategy."""

from uno_csp import Play, Uncooperative, solve
from uno_csp.algorithms.strategies import next_card

mine = (("red", 1), ("red", 2), ("blue", 3), ("green", 7))
theirs = (("red", 5), ("blue", 1), ("green", 3))
deal = Uncooperative((mine, theirs))
answer = solve(deal, method="matching")
print(f"{answer.status}, player {answer.loser} loses: {answer.reason}")

held = list(theirs)
plays: list[Play] = []
while True:
    card = next_card(deal, answer.strategy or {}, plays)
    assert card is not None
    plays.append(Play(1, card))
    reply = next((other for other in held if set(other) & set(card)), None)
    if reply is None:
        break
    held.remove(reply)
    plays.append(Play(2, reply))
print(f"player 2 is stuck: the last card is player {plays[-1].player}'s")
