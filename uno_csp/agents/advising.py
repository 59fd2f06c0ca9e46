"""Advice on the next move in the real game, where the other hands are hidden."""

from typing import SupportsFloat, SupportsIndex

from uno_csp.agents.advice import Advice, OnDeal, OnFirst, require_deals
from uno_csp.agents.players import AGENTS, BEST
from uno_csp.agents.seats import Seat
from uno_csp.agents.views import View
from uno_csp.errors import NotAccepted
from uno_csp.questions.arguments import limit_of, require_function, require_kind, seed_of

LIMIT_S = 60.0  # default time limit, in seconds


def advisers() -> list[str]:
    """Return the names of the agents that give advice."""
    return [name for name, agent in AGENTS.items() if hasattr(agent, "advise")]


def advise(
    seat: Seat | View,
    *,
    agent: str = BEST,
    deals: SupportsIndex | None = None,
    time_limit_s: SupportsFloat = LIMIT_S,
    seed: SupportsIndex = 0,
    on_deal: OnDeal | None = None,
    on_first: OnFirst | None = None,
) -> Advice:
    """Rank the moves by the share of the deals that they win, as an agent sees it.

    Parameters
    ----------
    seat
        What player 1 knows, or what the player to move sees (:func:`uno_csp.agents.view_of`), which
        includes the turns so far.
    agent
        ``play-outs`` or ``exact-deals``, or another one that gives advice.
    deals
        Number of deals to sample, at least 200; None for the agent's own.
    time_limit_s
        Time limit in seconds; fewer deals are sampled if it is too short.
    seed
        Random seed of the deals.
    on_deal
        Called from time to time; see :data:`OnDeal`.
    on_first
        Called with the advice of 200 deals while the rest is being compiled, which is done once.

    Raises
    ------
    NotAccepted
        If a number is out of its range, or the agent gives no advice.
    UnknownName
        If there is no such agent.
    InstanceError
        As for the question ``open-game``.
    """
    require_kind("seat", seat, Seat | View, "a uno_csp.Seat")
    drawn, number = seed_of(seed), None if deals is None else require_deals(deals)
    require_function("on_deal", on_deal)
    require_function("on_first", on_first)
    seconds = limit_of("time_limit_s", time_limit_s)
    kind = AGENTS.find(agent)
    if not hasattr(kind, "advise"):
        raise NotAccepted(f"agent {agent} gives no advice; these do: {', '.join(advisers())}")
    budget = {} if number is None else {"work": number}
    adviser = kind(seed=drawn, seconds=seconds, **budget)
    view = seat.view() if isinstance(seat, Seat) else seat
    more = {} if on_first is None else {"on_first": on_first}
    advice: Advice = adviser.advise(view, on_deal, **more)
    return advice
