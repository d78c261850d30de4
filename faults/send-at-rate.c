/*
 * An open-loop client: it sends each request at its time of a schedule, whatever happens to the earlier ones. A request
 * takes an idle connection, or opens a new one, and waits for its answer until the end. Twice a second it also asks
 * /healthz and /readyz, each on a new connection, as a load balancer does. Standard output gets one record per request;
 * overload.ts reads them. All times in them count from the scheduled time, not from the time of sending.
 *
 * Arguments: port, port for the health checks, "list" or "create", Cookie header, requests a second, seconds, number of
 * the first form.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum kind { LOAD, HEALTH, READY };

/** Each field is 4 bytes. Times are in microseconds, -1 for never. */
struct record {
  uint32_t kind;
  /** How late it was sent: written to an idle connection, or a connection was requested for it. */
  int32_t sent;
  /** 0 if the connection broke, or if there was no answer until the end. */
  uint32_t status;
  int32_t answered;
  uint32_t has_retry_after;
  /** The number in Location: /items/1; 0 without one. */
  uint32_t item;
};

enum { HEAD = 4096, REQUEST = 1024, CHUNK = 1 << 16, HEALTH_EVERY = 500000 };
/** Seconds that answers may take after the last request was sent. */
enum { PATIENCE = 15 };
/** A service limits the connections of one address, and the clients of a busy service have many. */
enum { ADDRESSES = 32 };

struct connection {
  int fd;
  /** The request that it waits for; NULL if it is idle. */
  struct record *record;
  int64_t due;
  char request[REQUEST];
  int length;
  int written;
  char head[HEAD + 1];
  int head_length;
  /** Bytes of the body that are missing, -1 while the head is. */
  int64_t left;
  int closes;
  struct connection *below;
};

static int port, health_port, is_create;
static const char *cookie;
static int64_t start;
static int poller;
static struct connection *idle;
static long under_way;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000 - start;
}

static void finish(struct connection *one, unsigned status) {
  one->record->status = status;
  if (status != 0) one->record->answered = (int32_t)(now() - one->due);
  one->record = NULL;
  under_way--;
}

static void drop(struct connection *one) {
  if (one->record != NULL) finish(one, 0);
  else
    for (struct connection **at = &idle; *at != NULL; at = &(*at)->below)
      if (*at == one) {
        *at = one->below;
        break;
      }
  close(one->fd);
  free(one);
}

static const char *find_header(const char *head, const char *name) {
  const char *found = strcasestr(head, name);
  return found == NULL ? NULL : found + strlen(name);
}

/** Reads the head; 0 if it cannot be understood. */
static int read_head(struct connection *one) {
  const char *length = find_header(one->head, "\r\nContent-Length: ");
  const char *item = find_header(one->head, "\r\nLocation: /items/");
  const char *closes = find_header(one->head, "\r\nConnection: close");
  if (strncmp(one->head, "HTTP/1.1 ", 9) != 0) return 0;
  if (length == NULL && atoi(one->head + 9) != 303) return 0;
  one->left = length == NULL ? 0 : atoll(length);
  one->closes = closes != NULL;
  one->record->has_retry_after = find_header(one->head, "\r\nRetry-After: ") != NULL;
  one->record->item = item == NULL ? 0 : (uint32_t)atol(item);
  return 1;
}

/** 0 if the connection has to be dropped. */
static int read_answer(struct connection *one) {
  static char chunk[CHUNK];
  for (;;) {
    ssize_t count = read(one->fd, chunk, CHUNK);
    if (count < 0 && errno == EAGAIN) return 1;
    if (count <= 0 || one->record == NULL) return 0;
    const char *rest = chunk;
    if (one->left < 0) {
      int had = one->head_length;
      int room = HEAD - had;
      int taken = count < room ? (int)count : room;
      memcpy(one->head + had, chunk, taken);
      one->head_length += taken;
      one->head[one->head_length] = 0;
      char *end = strstr(one->head, "\r\n\r\n");
      if (end == NULL && taken < count) return 0;
      if (end == NULL) continue;
      end[2] = 0;
      if (!read_head(one)) return 0;
      int used = (int)(end + 4 - one->head) - had;
      rest += used;
      count -= used;
    }
    one->left -= count;
    if (one->left > 0) continue;
    int is_health = one->record->kind != LOAD;
    finish(one, (unsigned)atoi(one->head + 9));
    if (one->closes || is_health) return 0;
    one->below = idle;
    idle = one;
  }
}

/** 0 if the connection has to be dropped. */
static int write_request(struct connection *one) {
  while (one->written < one->length) {
    ssize_t count = write(one->fd, one->request + one->written, one->length - one->written);
    if (count < 0) return errno == EAGAIN;
    one->written += (int)count;
  }
  return 1;
}

static struct connection *open_connection(enum kind kind, long number) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0) return NULL;
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  struct sockaddr_in from = {.sin_family = AF_INET};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(kind == LOAD ? port : health_port))};
  from.sin_addr.s_addr = htonl(0x7f000101 + (uint32_t)(number % ADDRESSES) * 256);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct connection *one = calloc(1, sizeof *one);
  if (one == NULL || bind(fd, (struct sockaddr *)&from, sizeof from) != 0 ||
      (connect(fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)) {
    free(one);
    close(fd);
    return NULL;
  }
  one->fd = fd;
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = one};
  epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
  return one;
}

static int write_form(char *request, long number) {
  char body[128];
  int length = snprintf(body, sizeof body, "name=Thing+%ld&_once=form-%ld", number, number);
  return snprintf(request, REQUEST,
                  "POST /items HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nAccept: text/html\r\n"
                  "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
                  port, cookie, length, body);
}

static int write_get(char *request, const char *path, const char *accept) {
  return snprintf(request, REQUEST,
                  "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nAccept: %s\r\n\r\n", path, port, cookie,
                  accept);
}

static void begin(struct record *record, enum kind kind, int64_t due, long number) {
  *record = (struct record){.kind = kind, .sent = -1, .answered = -1};
  struct connection *one = kind == LOAD ? idle : NULL;
  int is_new = one == NULL;
  if (is_new) one = open_connection(kind, number);
  else idle = one->below;
  if (one == NULL) return;
  record->sent = (int32_t)(now() - due);
  one->below = NULL;
  one->record = record;
  one->due = due;
  one->written = one->head_length = 0;
  one->left = -1;
  if (kind == HEALTH) one->length = write_get(one->request, "/healthz", "*/*");
  else if (kind == READY) one->length = write_get(one->request, "/readyz", "*/*");
  else if (is_create) one->length = write_form(one->request, number);
  else one->length = write_get(one->request, "/items", "text/html");
  under_way++;
  // A new connection is writable when it is there.
  if (!is_new && !write_request(one)) drop(one);
}

static void wait_for_events(int milliseconds) {
  struct epoll_event events[256];
  int count = epoll_wait(poller, events, 256, milliseconds);
  for (int at = 0; at < count; at++) {
    struct connection *one = events[at].data.ptr;
    uint32_t what = events[at].events;
    int is_open = !(what & EPOLLERR);
    if (is_open && what & EPOLLOUT && one->record != NULL) is_open = write_request(one);
    if (is_open && what & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) is_open = read_answer(one);
    if (!is_open) drop(one);
  }
}

int main(int count, char **words) {
  if (count != 8) return 2;
  port = atoi(words[1]);
  health_port = atoi(words[2]);
  is_create = strcmp(words[3], "create") == 0;
  cookie = words[4];
  int64_t rate = atoll(words[5]), seconds = atoll(words[6]);
  long first = atol(words[7]);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  signal(SIGPIPE, SIG_IGN);
  int64_t loads = rate * seconds, checks = seconds * 1000000 / HEALTH_EVERY * 2;
  struct record *records = calloc(loads + checks, sizeof *records);
  poller = epoll_create1(0);
  if (records == NULL || poller < 0) return 2;
  start = now();
  int64_t sent = 0, checked = 0;
  while (sent < loads || checked < checks) {
    int64_t time = now();
    // A few at a time, so that answers are read in between.
    for (int some = 0; some < 32 && sent < loads; some++, sent++) {
      int64_t due = sent * 1000000 / rate;
      if (due > time) break;
      begin(&records[sent], LOAD, due, first + sent);
    }
    for (; checked < checks; checked++) {
      int64_t due = checked / 2 * HEALTH_EVERY;
      if (due > time) break;
      begin(&records[loads + checked], checked % 2 ? READY : HEALTH, due, checked);
    }
    wait_for_events(0);
  }
  int64_t end = now() + (int64_t)PATIENCE * 1000000;
  while (under_way > 0 && now() < end) wait_for_events(10);
  fwrite(records, sizeof *records, loads + checks, stdout);
  return fflush(stdout) != 0;
}
