/* The parts of JSON, of a WebSocket client and of line reading that `load.c` needs. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static void die(const char *what, const char *text)
{
    fprintf(stderr, "load: %s: %.600s\n", what, text ? text : "nothing");
    exit(1);
}

/* JSON without spaces, ended by a zero ----------------------------------------------------------*/

/* Return the end of the value at `p`. */
static const char *skip(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            while (*++p && *p != '"') p += *p == '\\';
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']') {
            depth--;
        }
        p++;
    } while (*p && (depth > 0 || !strchr(",:]}", *p)));
    return p;
}

/* Return the value of a member, or NULL. */
static const char *member(const char *object, const char *name)
{
    size_t size = strlen(name);
    for (const char *p = object ? object + 1 : ""; *p == '"'; p++) {
        const char *value = skip(p) + 1;
        if (!strncmp(p + 1, name, size) && p[size + 1] == '"') return value;
        p = skip(value);
    }
    return NULL;
}

/* Return an item of an array, or NULL. */
static const char *item(const char *array, int number)
{
    const char *p = array ? array + 1 : "";
    for (; *p && *p != ']'; p = skip(p), p += *p == ',')
        if (number-- == 0) return p;
    return NULL;
}

static int items(const char *array)
{
    int number = 0;
    for (const char *p = array ? array + 1 : ""; *p && *p != ']'; p += *p == ',') {
        p = skip(p);
        number++;
    }
    return number;
}

static bool is(const char *value, const char *text)
{
    return value && !strncmp(value, text, strlen(text));
}

/* Copy the text between the quotes of a string. */
static void copy(const char *value, char *to, size_t most)
{
    size_t size = is(value, "\"") ? (size_t)(skip(value) - value) - 2 : most;
    if (size >= most) die("expected a short string, found", value);
    memcpy(to, value + 1, size);
    to[size] = 0;
}

/* WebSocket -------------------------------------------------------------------------------------*/

enum { MASKED = 0x80, TEXT = 0x81, CLOSE = 0x88, PING = 0x89, PONG = 0x8a };

typedef struct {
    int fd; /* 0: not connected */
    bool is_open;
    const char *first; /* the text to send as soon as it is open */
    char *rest;        /* the beginning of a frame */
    size_t kept;
} Socket;

static int poller;
static long sockets, bytes; /* opened; received */

static void listen_to(int fd, void *whom)
{
    struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = whom};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &wanted)) die("cannot listen", "epoll_ctl failed");
}

static void put(int fd, const char *data, size_t size)
{
    if (send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)size)
        die("the server does not take what it is sent", data);
}

/* Send a frame. Clients mask theirs: a mask of zeros leaves the text as it is. */
static void put_frame(Socket *via, int kind, const char *data, size_t size)
{
    char out[2048] = {(char)kind};
    size_t head = size < 126 ? 6 : 8;
    if (head + size > sizeof out) die("too long to send", data);
    out[1] = (char)(MASKED | (size < 126 ? size : 126));
    if (size >= 126) {
        out[2] = (char)(size >> 8);
        out[3] = (char)size;
    }
    memcpy(out + head, data, size);
    put(via->fd, out, head + size);
}

static void say(Socket *via, const char *text)
{
    put_frame(via, TEXT, text, strlen(text));
}

static void leave(Socket *via)
{
    if (!via->fd) return;
    if (via->is_open) put_frame(via, CLOSE, "\x03\xe8", 2);
    close(via->fd);
    free(via->rest);
    *via = (Socket){0};
}

/* Connect, and ask for an upgrade. */
static void join(Socket *via, int port, const char *path, const char *cookie, const char *first)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    char request[1024];
    leave(via);
    via->first = first;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    via->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (via->fd < 0 || connect(via->fd, (struct sockaddr *)&to, sizeof to))
        die("cannot connect to", path);
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nConnection: Upgrade\r\n"
             "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
             path, port, cookie);
    put(via->fd, request, strlen(request));
    listen_to(via->fd, via);
}

/* The size of the head of a frame and, in `length`, of its text; 0: the frame is not complete. */
static size_t head_of(const char *data, size_t size, size_t *length)
{
    size_t head = 2;
    *length = size < head ? 0 : (unsigned char)data[1];
    if (*length > 125) {
        head = *length == 126 ? 4 : 10;
        *length = 0;
        for (size_t at = 2; at < head && at < size; at++)
            *length = *length << 8 | (unsigned char)data[at];
    }
    return size < head + *length ? 0 : head;
}

typedef void Hear(Socket *, const char *text);

/* Take the answer to the upgrade, or one frame. Return its size; 0: it is not complete. */
static size_t take(Socket *via, char *data, size_t size, Hear hear)
{
    size_t length = 0, head = 0;
    if (!via->is_open) {
        char *end = memmem(data, size, "\r\n\r\n", 4);
        if (!end) return 0;
        if (!is(data, "HTTP/1.1 101")) die("expected a WebSocket, found", data);
        via->is_open = true;
        sockets++;
        say(via, via->first);
        return (size_t)(end + 4 - data);
    }
    if (!(head = head_of(data, size, &length))) return 0;
    char *text = data + head, after = text[length];
    text[length] = 0;
    if ((unsigned char)*data == TEXT) hear(via, text);
    else if ((unsigned char)*data == PING) put_frame(via, PONG, text, length);
    else die("the server closed a socket", text);
    text[length] = after;
    return head + length;
}

/* Read everything that has arrived. */
static void receive(Socket *via, Hear hear)
{
    static char buffer[1 << 22];
    size_t size = via->kept, used = 0, one;
    if (size) memcpy(buffer, via->rest, size);
    ssize_t got = recv(via->fd, buffer + size, sizeof buffer - size - 1, MSG_DONTWAIT);
    if (got < 0) return; /* it was opened again meanwhile */
    if (got == 0) die("the server ended a connection", "without a word");
    bytes += got;
    size += (size_t)got;
    while (used < size && (one = take(via, buffer + used, size - used, hear))) used += one;
    via->kept = size - used;
    if (!via->kept) return;
    via->rest = realloc(via->rest, via->kept);
    memcpy(via->rest, buffer + used, via->kept);
}

/* Lines -----------------------------------------------------------------------------------------*/

/* Pass on the lines that have arrived. The program ends with its input. */
static void read_lines(void (*obey)(const char *line))
{
    static char input[1 << 20];
    static size_t size;
    ssize_t got = read(STDIN_FILENO, input + size, sizeof input - size);
    if (got <= 0) exit(0);
    char *line = input, *end, *until = input + size + got;
    for (; (end = memchr(line, '\n', (size_t)(until - line))); line = end + 1) {
        *end = 0;
        obey(line);
    }
    size = (size_t)(until - line);
    memmove(input, line, size);
}
