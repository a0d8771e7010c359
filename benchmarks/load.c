/* Plays at the tables of a server: a WebSocket for each seat, all of them in one thread. Of a frame
   it reads only what a player at random must know, so that the processors are left to the server.

   `load zashiki|boardgame.io SEED` takes commands, one per line:
     seat TABLE SEAT SEATS PORT ID KEY TEXT   connect a seat to the table or match ID and send TEXT
     say TABLE SEAT TEXT                      send TEXT
     leave TABLE                              close the sockets of a table
     play TABLE INTERVAL MOVES                take up to MOVES decisions, one per INTERVAL seconds
                                              or, if that is 0, each at once
     report                                   print what happened since the last report, as JSON
   It prints `dealt TABLE ID` when all seats know a match, `over TABLE` when all know its end, and
   `open TABLE ID` when the socket of seat 0 has gone on to a table that has not started. It exits
   with 1 if the server refuses a command or ends a socket. */
#include "wire.h"

#include <sys/timerfd.h>
#include <time.h>

enum { MOST_TABLES = 20000, MOST_SEATS = 4, MOST_EVENTS = 256, NONE = -1, FOREVER = 1 << 30 };
#define CONNECT "40/kamiza," /* of Socket.IO */
#define EVENT "42/kamiza,"

typedef struct {
    Socket via; /* the first: a pointer to it is one to the seat */
    struct Table *table;
    int number;
    bool is_ready, is_told, is_over;
    char id[64], key[256], greeting[512], action[512];
    long owes, sent; /* numbers of decisions, or NONE */
} Seat;

typedef struct Table {
    Seat seats[MOST_SEATS], *mover; /* the seat whose move is on its way */
    int count;
    bool is_dealt, is_over, has_told, has_answered;
    long left, key; /* decisions that may be taken; the key of the last */
    double interval, due, since;
} Table;

static Table tables[MOST_TABLES];
static int count;
static bool is_ours; /* a server of this project */
static double earliest = FOREVER; /* when the next decision falls due */
static long sent, moves, ended, room;
static unsigned *times; /* of the moves, in microseconds */

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Playing ---------------------------------------------------------------------------------------*/

/* Seconds from one decision to the next: half as long to half as long again. */
static double gap(const Table *table)
{
    return table->interval * (0.5 + drand48());
}

static void move(Table *table, Seat *seat, double now)
{
    char text[1024];
    table->since = table->interval > 0 ? table->due : now;
    table->due += gap(table);
    table->left--;
    table->mover = seat;
    table->has_told = false;
    table->has_answered = !is_ours; /* boardgame.io sends the state and no answer */
    seat->sent = seat->owes;
    seat->owes = NONE;
    sent++;
    if (is_ours)
        snprintf(text, sizeof text,
                 "{\"do\":\"play\",\"key\":\"%ld\",\"decision\":%ld,\"action\":\"%s\"}",
                 ++table->key, seat->sent, seat->action);
    else
        snprintf(text, sizeof text,
                 EVENT "[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":\"place\","
                 "\"args\":[\"%s\",\"%s\"],\"playerID\":\"%d\",\"credentials\":\"%s\"}},%ld,\"%s\",\"%d\"]",
                 seat->action, drand48() < 0.5 ? "top" : "bottom", seat->number, seat->key,
                 seat->sent, seat->id, seat->number);
    say(&seat->via, text);
}

static void acknowledge(Table *table, double now)
{
    if (moves == room) times = realloc(times, (size_t)(room += 65536) * sizeof *times);
    times[moves++] = (unsigned)(1e6 * (now - table->since));
    table->mover = NULL;
}

/* Take the next decision at a table, if it is due and no frame is on its way. */
static void advance(Table *table)
{
    Seat *owing = NULL;
    int told = 0, over = 0;
    double now = seconds(CLOCK_MONOTONIC);
    if (table->mover && !(table->has_told && table->has_answered)) return;
    if (table->mover) acknowledge(table, now);
    for (Seat *seat = table->seats; seat < table->seats + table->count; seat++) {
        told += seat->is_told;
        over += seat->is_over;
        if (seat->owes != NONE) owing = seat;
    }
    if (over && over == table->count && !table->is_over) {
        table->is_over = true;
        ended++;
        printf("over %d\n", (int)(table - tables));
    }
    if (!owing || told < table->count) return;
    if (!table->is_dealt) {
        table->is_dealt = true;
        table->due = now + gap(table);
        printf("dealt %d %s\n", (int)(table - tables), owing->id);
    }
    if (table->left <= 0) return;
    if (table->due <= now) move(table, owing, now);
    else if (table->due < earliest) earliest = table->due;
}

/* Forget everything about a match. */
static void forget(Seat *seat)
{
    seat->is_ready = seat->is_told = seat->is_over = false;
    seat->owes = seat->sent = NONE;
    seat->table->is_dealt = seat->table->is_over = false;
}

static void tell(Seat *seat, long decision, bool is_over, const char *actions)
{
    seat->is_told = true;
    seat->is_over = is_over;
    if (decision != NONE && decision == seat->sent) return; /* it was sent before the own move */
    seat->owes = decision;
    if (decision != NONE)
        copy(item(actions, (int)(drand48() * items(actions))), seat->action, sizeof seat->action);
    if (seat->table->mover == seat) seat->table->has_told = true;
    advance(seat->table);
}

/* Frames ----------------------------------------------------------------------------------------*/

static void see_table(Seat *seat, const char *place, bool is_another)
{
    const char *state = member(place, "state");
    if (is_another) {
        forget(seat);
        copy(member(place, "id"), seat->id, sizeof seat->id);
        if (seat->number == 0 && is(state, "\"open\""))
            printf("open %d %s\n", (int)(seat->table - tables), seat->id);
    }
    if (seat->is_ready || !is(state, "\"starting\"")) return;
    seat->is_ready = true;
    say(&seat->via, "{\"do\":\"ready\",\"key\":\"ready\"}");
}

static void hear_ours(Socket *via, const char *text)
{
    Seat *seat = (Seat *)via;
    Table *table = seat->table;
    const char *kind = member(text, "is"), *all, *own, *decision;
    if (is(kind, "\"told\"")) {
        all = member(text, "public"); /* version 1 has no parts */
        own = all ? member(text, "own") : text;
        decision = member(own, "decision");
        tell(seat, is(decision, "null") ? NONE : atol(decision),
             is(member(all ? all : text, "over"), "true"), member(own, "legal"));
    } else if (is(kind, "\"answer\"")) {
        if (!is(member(text, "ok"), "true")) die("refused", text);
        if (table->mover != seat || atol(member(text, "key") + 1) != table->key) return;
        table->has_answered = true;
        advance(table);
    } else if (is(kind, "\"welcome\"") || is(kind, "\"changed\"")) {
        see_table(seat, member(text, "table"), is(kind, "\"welcome\""));
    } else if (is(kind, "\"bye\"")) {
        die("the server ends a socket", text);
    }
}

static void hear_theirs(Socket *via, const char *text)
{
    Seat *seat = (Seat *)via;
    char match[64], current[8], own[2] = {(char)('0' + seat->number)};
    const char *event = text + strlen(EVENT), *state, *context;
    if (!strcmp(text, "2")) say(via, "3"); /* Socket.IO's ping and pong */
    if (is(text, CONNECT)) say(via, seat->greeting);
    if (!is(text, EVENT "[\"update\"") && !is(text, EVENT "[\"sync\"")) return;
    copy(item(event, 1), match, sizeof match);
    if (strcmp(match, seat->id)) return; /* the match before */
    state = item(event, 2);
    if (is(item(event, 0), "\"sync\"")) state = member(state, "state");
    context = member(state, "ctx");
    copy(member(context, "currentPlayer"), current, sizeof current);
    bool is_over = member(context, "gameover") != NULL;
    tell(seat, is_over || strcmp(current, own) ? NONE : atol(member(state, "_stateID")), is_over,
         member(member(member(member(state, "G"), "players"), own), "hand"));
}

/* Commands --------------------------------------------------------------------------------------*/

/* Connect a seat, or move its socket to another match, as boardgame.io does. */
static void sit(Table *table, int number, int port, const char *texts)
{
    Seat *seat = &table->seats[number];
    char path[128];
    seat->table = table;
    seat->number = number;
    if (sscanf(texts, "%63s %255s %511[^\n]", seat->id, seat->key, seat->greeting) != 3)
        die("expected an id, a key and a text, found", texts);
    forget(seat);
    if (!is_ours && seat->via.is_open) {
        say(&seat->via, seat->greeting);
        return;
    }
    snprintf(path, sizeof path, "/api/tables/%s/socket", seat->id);
    if (is_ours) join(&seat->via, port, path, seat->key, seat->greeting);
    else join(&seat->via, port, "/socket.io/?EIO=4&transport=websocket", "none=none", CONNECT);
}

static void report(void)
{
    int moving = 0;
    for (Table *table = tables; table < tables + count; table++) moving += table->mover != NULL;
    printf("{\"moving\":%d,\"sent\":%ld,\"ended\":%ld,\"sockets\":%ld,\"bytes\":%ld,"
           "\"spent\":%.6f,\"times\":[",
           moving, sent, ended, sockets, bytes, seconds(CLOCK_PROCESS_CPUTIME_ID));
    for (long i = 0; i < moves; i++) printf(i ? ",%u" : "%u", times[i]);
    printf("]}\n");
    sent = moves = ended = sockets = bytes = 0;
}

static void play(Table *table, double interval, long left)
{
    table->interval = interval;
    table->left = left;
    table->due = seconds(CLOCK_MONOTONIC) + interval * drand48();
    advance(table);
}

static void obey(const char *line)
{
    int number = 0, seat, seats, port, at = 0;
    long left;
    double interval;
    if (sscanf(line, "%*s %d", &number) == 1 && number >= MOST_TABLES) die("too many tables", line);
    Table *table = &tables[number];
    if (sscanf(line, "seat %*d %d %d %d %n", &seat, &seats, &port, &at) == 3) {
        if (seats > MOST_SEATS || seat >= seats) die("too many seats", line);
        table->count = seats;
        count = number < count ? count : number + 1;
        sit(table, seat, port, line + at);
    } else if (sscanf(line, "say %*d %d %n", &seat, &at) == 1 && seat < table->count) {
        say(&table->seats[seat].via, line + at);
    } else if (sscanf(line, "play %*d %lf %ld", &interval, &left) == 2) {
        play(table, interval, left);
    } else if (is(line, "leave ")) {
        for (seat = 0; seat < table->count; seat++) leave(&table->seats[seat].via);
    } else if (is(line, "report")) {
        report();
    } else {
        die("expected a command, found", line);
    }
}

/* Wait for a frame, a command, or until a decision falls due. */
static int wait_for(struct epoll_event *events, int timer)
{
    struct itimerspec at = {.it_value.tv_sec = (time_t)earliest};
    at.it_value.tv_nsec = (long)(1e9 * (earliest - (double)at.it_value.tv_sec));
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
    fflush(stdout);
    return epoll_wait(poller, events, MOST_EVENTS, -1);
}

int main(int arguments, char **argument)
{
    struct epoll_event events[MOST_EVENTS];
    if (arguments != 3) die("expected a kind of server and a seed, found", argument[1]);
    is_ours = !strcmp(argument[1], "zashiki");
    srand48(atol(argument[2]));
    poller = epoll_create1(0);
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    listen_to(STDIN_FILENO, NULL);
    listen_to(timer, &timer);
    for (;;) {
        int number = wait_for(events, timer);
        for (int i = 0; i < number; i++) {
            void *from = events[i].data.ptr;
            if (!from) read_lines(obey);
            else if (from != &timer) receive(from, is_ours ? hear_ours : hear_theirs);
        }
        if (earliest > seconds(CLOCK_MONOTONIC)) continue;
        earliest = FOREVER;
        for (Table *table = tables; table < tables + count; table++) advance(table);
    }
}
