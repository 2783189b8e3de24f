from deeptrust.domain.chat import ModelCall
from deeptrust.domain.model import Backend, DownloadPhase, DownloadProgress, ModelOffer, ModelTest
from deeptrust.ui.views import model as views
from deeptrust.ui.views.calls import Tally, call_line, tallied, tally_text
from deeptrust.ui.views.text import duration, size


def offer(backend: Backend = Backend.DOWNLOADED, **more) -> ModelOffer:
    fields = {
        "id": "smollm2-360m",
        "name": "SmolLM2-360M-Instruct",
        "reaches_network": False,
        "is_ready": False,
        "is_chosen": False,
        "writes": True,
        "description": "Fast, basic.",
        "message": "It must be downloaded first.",
        "size_bytes": 98_362_432,
        "context_tokens": 8192,
        "can_download": backend is Backend.DOWNLOADED and not more.get("is_ready"),
    }
    return ModelOffer(backend=backend, **{**fields, **more})


def progress(phase: DownloadPhase, **more) -> DownloadProgress:
    return DownloadProgress(id="smollm2-360m", phase=phase, total_bytes=98_000_000, **more)


def test_local_models_and_those_that_prompts_leave_for_stand_apart():
    offers = [offer(), offer(Backend.ENDPOINT, id="endpoint:gpt", reaches_network=True, is_ready=True)]
    assert [line.id for line in views.offer_lines(offers, {}, leaves=False)] == ["smollm2-360m"]
    assert [line.id for line in views.offer_lines(offers, {}, leaves=True)] == ["endpoint:gpt"]


def test_a_model_that_must_be_downloaded_says_how_large_it_is():
    line = views.offer_line(offer())
    assert (line.phase, line.action) == (views.ABSENT, "Download 98 MB")
    assert line.facts == "98 MB, 8,192 tokens of context"
    assert line.message == "It must be downloaded first."
    assert views.offer_line(offer(message="Not downloaded yet (98 MB).")).message == ""


def test_a_download_shows_bytes_and_the_time_that_is_left():
    line = views.offer_line(offer(), progress(DownloadPhase.DOWNLOADING, received_bytes=12_000_000, seconds_left=14.2))
    assert (line.phase, line.progress, line.percent) == (views.DOWNLOADING, "12 MB of 98 MB, 14 s left", 12)
    assert (line.action, line.message) == ("", "")


def test_the_pill_says_how_far_a_download_is():
    done = progress(DownloadPhase.DONE, received_bytes=98_000_000)
    running = progress(DownloadPhase.DOWNLOADING, received_bytes=33_320_000)
    assert views.downloading_text([done, running]) == "downloading 34 %"
    assert views.downloading_text([done]) == ""


def test_a_download_that_waits_or_checks_says_so():
    waiting = progress(DownloadPhase.WAITING, message="The hub is busy. Trying again in 3 s.")
    assert views.progress_text(waiting) == "The hub is busy. Trying again in 3 s."
    assert views.progress_text(progress(DownloadPhase.WAITING)) == "Waiting for the first bytes"
    assert views.progress_text(progress(DownloadPhase.CHECKING)) == "Checking what was received"


def test_a_cancelled_download_can_be_resumed_and_a_failed_one_says_why():
    cancelled = views.offer_line(offer(), progress(DownloadPhase.CANCELLED, received_bytes=12_000_000))
    assert (cancelled.phase, cancelled.action, cancelled.is_broken) == (views.ABSENT, "Resume at 12 MB", False)
    failed = views.offer_line(offer(), progress(DownloadPhase.FAILED, message="The disk is full. Free 98 MB."))
    assert (failed.action, failed.message, failed.is_broken) == (
        "Download 98 MB",
        "The disk is full. Free 98 MB.",
        True,
    )


def test_a_server_that_cannot_be_reached_offers_no_download():
    line = views.offer_line(offer(Backend.OLLAMA, message="Ollama does not answer. Start it."))
    assert (line.phase, line.action, line.can_test) == (views.UNREACHABLE, "", False)
    assert line.message == "Ollama does not answer. Start it."


def test_a_model_that_does_not_fit_into_memory_says_so_and_offers_no_download():
    line = views.offer_line(offer(message="It needs 12 GB of memory.", can_download=False))
    assert (line.phase, line.action, line.message) == (views.UNREACHABLE, "", "It needs 12 GB of memory.")


def test_quotes_only_has_nothing_to_test():
    assert not views.offer_line(offer(Backend.EXTRACTIVE, is_ready=True)).can_test
    assert views.offer_line(offer(Backend.BUNDLED, is_ready=True)).can_test


def test_a_test_shows_what_was_said_and_how_fast():
    test = ModelTest(text=" Hello! ", completion_tokens=12, seconds=0.71, seconds_to_first=0.4, tokens_per_second=38.6)
    line = views.trial_line("bundled", test)
    assert (line.text, line.speed) == ("Hello!", "38.6 tokens/s, first token after 0.4 s, 12 tokens in 0.7 s")


def test_sizes_and_times_are_short():
    assert [size(n) for n in (512, 98_362_432, 1_340_000_000)] == ["512 bytes", "98 MB", "1.3 GB"]
    assert [duration(s) for s in (0.4, 14.2, 200, 7500)] == ["0.4 s", "14 s", "3 min", "2 h 5 min"]


CALL = ModelCall(model="SmolLM2", purpose="plan", prompt_tokens=412, completion_tokens=98, seconds=3.1)


def test_a_call_of_the_trace_names_model_purpose_tokens_and_seconds():
    assert call_line(CALL).text == "SmolLM2 · plan · 412 + 98 tokens · 3.1 s"
    cut = CALL.model_copy(update={"note": "2 sources left out: they did not fit."})
    assert call_line(cut).note == "2 sources left out: they did not fit."


def test_the_calls_of_a_run_are_summed():
    tally = tallied(tallied(Tally(), [CALL]), [CALL.model_copy(update={"purpose": "report"})])
    assert tally_text(tally) == "SmolLM2 · 2 calls · 1,020 tokens · 6.2 s"
    assert tally_text(Tally()) == ""
