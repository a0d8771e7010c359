"""Tasks shared among processes. No process outlives its parent.

Every worker process has a pipe to its parent. A worker ends when the parent closes the pipe, and
when the parent is gone, even if it was killed. The parent notices a lost worker by the same pipe.
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

TASKS_AHEAD = 2
"""Tasks that each worker holds: it begins the next while it hands in a result."""
MAX_WAITING = 8
"""Results per worker that may wait for an earlier one."""


def map_in_order(
    work: Callable[[Shared, int], Result], plan: Shared, tasks: Sequence[int], workers: int
) -> Generator[Result, None, None]:
    """Yield `work(plan, task)` for each task, in the order of the tasks."""
    done: dict[int, tuple[Result, Exception | None]] = {}
    given = 0
    with worker_pipes(work, plan, min(workers, len(tasks))) as pipes:
        free = deque(pipes * TASKS_AHEAD)
        for place, task in enumerate(tasks):
            end = min(len(tasks), place + MAX_WAITING * len(pipes))
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
                raise fault  # when its task is due, as one process alone would raise it
            yield result


def map_as_completed(
    work: Callable[[Shared, int], Result], plan: Shared, tasks: Iterable[int], workers: int
) -> Generator[tuple[int, Result], None, None]:
    """Yield each task and `work(plan, task)` as soon as it is done; one worker works here."""
    if workers < 2:
        yield from ((task, work(plan, task)) for task in tasks)
        return
    waiting = iter(tasks)
    with worker_pipes(work, plan, workers) as pipes:
        free = deque(pipes * TASKS_AHEAD)
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
        raise worker_lost() from None


def receive(pipe: "Connection[Any, Any]") -> tuple[int, Any, Exception | None]:
    """Receive a task with its result, or with the exception that it raised."""
    try:
        task, result, fault = pipe.recv()
    except (EOFError, OSError):
        raise worker_lost() from None
    return task, result, fault


def worker_lost() -> Malformed:
    return Malformed("a process ended before its matches did: too little memory?")


# Processes -------------------------------------------------------------------------------------


@contextmanager
def worker_pipes(
    work: Callable[[Shared, int], object], plan: Shared, workers: int
) -> Iterator[list["Connection[Any, Any]"]]:
    """Start processes that wait for tasks, and kill them all at the end."""
    processes: list[BaseProcess] = []
    pipes: list[Connection[Any, Any]] = []
    try:
        for _ in range(workers):
            process, pipe = start_worker(work, plan)
            processes.append(process)
            pipes.append(pipe)
        yield pipes
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.kill()  # even during a match: its result is not wanted any more
        for process in processes:
            process.join()


def start_worker(
    work: Callable[[Shared, int], object], plan: Shared
) -> tuple[BaseProcess, "Connection[Any, Any]"]:
    context = get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=run_worker, args=(theirs, work, plan), daemon=True)
        with interrupts_blocked():
            process.start()
    except OSError as fault:
        raise Malformed(f"a process cannot be started: {fault.strerror or fault}") from None
    theirs.close()
    return process, ours


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block SIGINT in processes started within: on Ctrl-C only the parent speaks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else the first start runs it, and lets interrupts through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_worker(
    pipe: "Connection[Any, Any]", work: Callable[[Shared, int], object], plan: Shared
) -> None:
    """Do task after task in a worker process, until the pipe is closed."""
    Thread(target=end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            task = pipe.recv()
            pipe.send((task, *attempt(work, plan, task)))
    except (EOFError, OSError):
        return


def attempt(
    work: Callable[[Shared, int], object], plan: Shared, task: int
) -> tuple[object, Exception | None]:
    """Return the result, or the exception with its traceback as a note."""
    try:
        return work(plan, task), None
    except Exception as fault:
        fault.add_note(format_exc())  # a traceback cannot be pickled
        return None, fault


def end_with_parent() -> None:
    """End this process when its parent ends, even during a task."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
