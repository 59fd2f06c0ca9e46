"""Questions and answers as files: JSON, JSON Lines, plain text, card codes, pictures."""

from uno_csp.formats.answer_files import parse_answer, parse_answer_object
from uno_csp.formats.notes import notes_on
from uno_csp.formats.questions import parse, parse_file, parse_lines
from uno_csp.formats.text import read_text
from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.as_json import question_to_dict

__all__ = [
    "Answer",
    "Status",
    "notes_on",
    "parse",
    "parse_answer",
    "parse_answer_object",
    "parse_file",
    "parse_lines",
    "question_to_dict",
    "read_text",
]
