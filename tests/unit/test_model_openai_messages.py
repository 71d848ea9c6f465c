"""How a prompt becomes the messages of a chat-completions request, so that what lasts is found in a cache."""

from __future__ import annotations

from foureyes_reviewers.model.openai_client import messages_of

from .model_prompts import asked, review_of, run


def test_elsewhere_the_run_is_one_user_message_in_the_order_of_the_prompt() -> None:
    prompt = asked(review_of(run(3), turn=3))
    [system, user] = messages_of(prompt, apart=False)
    assert system == {"role": "system", "content": prompt.system}
    assert user == {"role": "user", "content": "\n\n".join(prompt.messages)}


def test_at_openai_every_part_ends_a_message_and_the_lasting_ones_come_again_first() -> None:
    one, other = (asked(review_of(run(turns), turn=turns)) for turns in (3, 4))
    first, second = messages_of(one, apart=True), messages_of(other, apart=True)
    assert {message["role"] for message in first[1:]} == {"user"}
    assert second[: 1 + one.lasting] == first[: 1 + one.lasting]
    assert len(first) == 1 + len(one.messages)
