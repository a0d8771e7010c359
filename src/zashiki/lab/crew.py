"""Work shared among processes: results in order, few of them waiting, and nobody left behind.

Every worker has a pipe to its parent. It ends when the parent closes the pipe, and when the parent
itself is gone, however it ended; the parent notices by the same pipe that a worker is.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from traceback import format_exc
from typing import Any, TypeVar

from zashiki.core.rulings import Malformed

Shared = TypeVar("Shared")
Result = TypeVar("Result")

AHEAD = 2
"""So many tasks lie with each worker: while it hands in one, it can begin the next."""
WINDOW = 8
"""So many results a worker may wait for an earlier one."""


def shared(
    work: Callable[[Shared, int], Result], plan: Shared, tasks: Sequence[int], workers: int
) -> Generator[Result, None, None]:
    """`work(plan, task)` for each task, in their order, done by so many processes."""
    done: dict[int, tuple[Result, Exception | None]] = {}
    given = 0
    with crew(work, plan, min(workers, len(tasks))) as pipes:
        free = deque(pipes * AHEAD)
        for place, task in enumerate(tasks):
            end = min(len(tasks), place + WINDOW * len(pipes))
            while task not in done:
                while free and given < end:
                    send(free.popleft(), tasks[given])
                    given += 1
                for pipe in wait(pipes):
                    assert isinstance(pipe, Connection)
                    number, result, fault = receive(pipe)
                    done[number] = result, fault
                    free.append(pipe)
            result, fault = done.pop(task)
            if fault is not None:
                raise fault  # in its turn: what goes wrong in a worker goes wrong here
            yield result


def gathered(
    work: Callable[[Shared, int], Result], plan: Shared, tasks: Iterable[int], workers: int
) -> Generator[tuple[int, Result], None, None]:
    """The same in the order in which they are done: each task with its result, at once."""
    waiting = iter(tasks)
    with crew(work, plan, workers) as pipes:
        free = deque(pipes * AHEAD)
        under_way = 0
        while True:
            while free and (task := next(waiting, None)) is not None:
                send(free.popleft(), task)
                under_way += 1
            if not under_way:
                return
            for pipe in wait(pipes):
                assert isinstance(pipe, Connection)
                number, result, fault = receive(pipe)
                if fault is not None:
                    raise fault
                under_way -= 1
                free.append(pipe)
                yield number, result


def send(pipe: "Connection[Any, Any]", task: int) -> None:
    try:
        pipe.send(task)
    except OSError:
        raise gone() from None


def receive(pipe: "Connection[Any, Any]") -> tuple[int, Any, Exception | None]:
    """A task, and its result or what went wrong with it."""
    try:
        task, result, fault = pipe.recv()
    except (EOFError, OSError):
        raise gone() from None
    return task, result, fault


def gone() -> Malformed:
    return Malformed("a process ended before its matches did: too little memory?")


# Processes -------------------------------------------------------------------------------------


@contextmanager
def crew(
    work: Callable[[Shared, int], object], plan: Shared, workers: int
) -> Iterator[list["Connection[Any, Any]"]]:
    """Processes that wait for tasks; at the end, whatever it is, none of them is left."""
    processes: list[BaseProcess] = []
    pipes: list[Connection[Any, Any]] = []
    try:
        for _ in range(workers):
            process, pipe = started(work, plan)
            processes.append(process)
            pipes.append(pipe)
        yield pipes
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.kill()  # in the middle of a match: nobody wants its result
        for process in processes:
            process.join()


def started(
    work: Callable[[Shared, int], object], plan: Shared
) -> tuple[BaseProcess, "Connection[Any, Any]"]:
    context = get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, work, plan), daemon=True)
        with interrupts_held():
            process.start()
    except OSError as fault:
        raise Malformed(f"a process cannot be started: {fault.strerror or fault}") from None
    theirs.close()
    return process, ours


@contextmanager
def interrupts_held() -> Iterator[None]:
    """A process started within never sees Ctrl-C: its parent does, and has something to say."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else the first start runs it, and lets interrupts through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(
    pipe: "Connection[Any, Any]", work: Callable[[Shared, int], object], plan: Shared
) -> None:
    """What a worker does: task after task, until nobody gives it one."""
    Thread(target=end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            task = pipe.recv()
            pipe.send((task, *attempted(work, plan, task)))
    except (EOFError, OSError):
        return


def attempted(
    work: Callable[[Shared, int], object], plan: Shared, task: int
) -> tuple[object, Exception | None]:
    try:
        return work(plan, task), None
    except Exception as fault:
        fault.add_note(format_exc())  # where it happened: a traceback does not travel
        return None, fault


def end_with_parent() -> None:
    """Also in the middle of a task, when the parent was killed and could tell nobody."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
