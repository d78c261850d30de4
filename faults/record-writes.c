/*
 * Records the operations of a process on a SQLite database, and on the folder of its files, in order; loaded with
 * LD_PRELOAD. RECORD_DATABASE and RECORD_FILES are their paths without symbolic links; RECORD_TO receives the records,
 * those of a file in the folder with its name. A write is
 * recorded after it is done, and a sync before and after. So a sync covers at least the writes that are
 * recorded before its first record. simulate-cuts.ts reads the records.
 *
 * Once the file RECORD_FAIL exists, the next sync of the log fails, and removes the file. As on Linux, every
 * descriptor that is open then reports the failure once, and a later sync succeeds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, REMOVE, SYNC_BEGIN, SYNC_END, SYNC_FAIL };
enum file { NONE, DATABASE, LOG, JOURNAL, FOLDER, STORED, STORE };

struct record {
  uint8_t kind;
  uint8_t file;
  uint16_t unused;
  uint32_t length;
  /** For a sync: the number that its begin and its end share. */
  int64_t offset;
};

#define MOST_DESCRIPTORS 65536
static uint8_t files[MOST_DESCRIPTORS];
/** How many failures of the log each descriptor has reported, or was opened after. */
static uint32_t reported[MOST_DESCRIPTORS];
static uint32_t failures;
static char paths[STORE + 1][4096];
/** Of a file in the folder: its name, filled up with zeros. */
#define NAME 64
static char names[MOST_DESCRIPTORS][NAME + 1];
/** Of a file in the folder and of the folder: Node closes them without calling `close`. */
static ino_t inodes[MOST_DESCRIPTORS];
static int output = -1;
static uint32_t syncs;

/** `real` is the function that this one wraps. */
#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void prepare(void) {
  const char *database = getenv("RECORD_DATABASE");
  const char *target = getenv("RECORD_TO");
  if (!database || !target) return;
  snprintf(paths[DATABASE], sizeof *paths, "%s", database);
  snprintf(paths[LOG], sizeof *paths, "%s-wal", database);
  snprintf(paths[JOURNAL], sizeof *paths, "%s-journal", database);
  snprintf(paths[FOLDER], sizeof *paths, "%s", database);
  *strrchr(paths[FOLDER], '/') = '\0';
  const char *store = getenv("RECORD_FILES");
  if (store) snprintf(paths[STORE], sizeof *paths, "%s", store);
  REAL(open);
  output = real(target, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

/** `name` is of a file in the folder, or NULL. */
static void note_of(const char *name, int kind, int file, int64_t offset, const void *data, uint32_t length) {
  uint32_t named = file == STORED ? NAME : 0;
  struct record record = {.kind = kind, .file = file, .length = named + (data ? length : 0), .offset = offset};
  struct iovec parts[3] = {
      {&record, sizeof record}, {(void *)name, named}, {(void *)data, record.length - named}};
  REAL(writev);
  ssize_t wanted = sizeof record + record.length;
  if (real(output, parts, 3) != wanted) abort();
}

static void note(int kind, int file, int64_t offset, const void *data, uint32_t length) {
  note_of(NULL, kind, file, offset, data, length);
}

static void note_on(int descriptor, int kind, int64_t offset, const void *data, uint32_t length) {
  note_of(names[descriptor], kind, files[descriptor], offset, data, length);
}

static ino_t inode_of(int descriptor) {
  struct stat about;
  return fstat(descriptor, &about) == 0 ? about.st_ino : 0;
}

static int file_of(int descriptor) {
  if (output < 0 || descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return NONE;
  int file = files[descriptor];
  if (file < STORED || inode_of(descriptor) == inodes[descriptor]) return file;
  return files[descriptor] = NONE;
}

static int file_at(const char *path) {
  for (int file = DATABASE; output >= 0 && file <= FOLDER; file++)
    if (strcmp(path, paths[file]) == 0) return file;
  size_t length = strlen(paths[STORE]);
  if (output < 0 || length == 0 || strncmp(path, paths[STORE], length) != 0) return NONE;
  if (path[length] == '\0') return STORE;
  if (path[length] != '/') return NONE;
  if (strlen(path) - length - 1 > NAME) abort();
  return STORED;
}

/** Of a file in the folder, into `name`, which has room for it. */
static void name_of(const char *path, char *name) {
  memset(name, 0, NAME + 1);
  strncpy(name, path + strlen(paths[STORE]) + 1, NAME);
}

static int opened(int descriptor, const char *path, int flags, int was_there) {
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return descriptor;
  int file = file_at(path);
  files[descriptor] = file;
  reported[descriptor] = failures;
  if (file == STORED) name_of(path, names[descriptor]);
  if (file >= STORED) inodes[descriptor] = inode_of(descriptor);
  if (file != NONE && flags & O_CREAT && !was_there) note_on(descriptor, CREATE, 0, NULL, 0);
  if (file != NONE && flags & O_TRUNC) note_on(descriptor, TRUNCATE, 0, NULL, 0);
  return descriptor;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    int was_there = file_at(path) != NONE && access(path, F_OK) == 0; \
    return opened(real(path, flags, mode), path, flags, was_there); \
  }
OPEN(open)
OPEN(open64)

int close(int descriptor) {
  REAL(close);
  if (file_of(descriptor) != NONE) files[descriptor] = NONE;
  return real(descriptor);
}

#define PWRITE(name) \
  ssize_t name(int descriptor, const void *data, size_t length, off64_t offset) { \
    REAL(name); \
    ssize_t written = real(descriptor, data, length, offset); \
    int file = file_of(descriptor); \
    if (file != NONE && written > 0) note_on(descriptor, WRITE, offset, data, written); \
    return written; \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int descriptor, const void *data, size_t length) {
  REAL(write);
  int file = file_of(descriptor);
  // SQLite writes only with an offset. Other writes would be missing in the records.
  if (file != NONE && file != STORED) abort();
  ssize_t written = real(descriptor, data, length);
  if (file == STORED && written > 0)
    note_on(descriptor, WRITE, lseek(descriptor, 0, SEEK_CUR) - written, data, written);
  return written;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  REAL(writev);
  // Node writes the chunks of a file one by one.
  if (file_of(descriptor) != NONE) abort();
  return real(descriptor, parts, count);
}

#define FTRUNCATE(name) \
  int name(int descriptor, off64_t length) { \
    REAL(name); \
    int result = real(descriptor, length); \
    int file = file_of(descriptor); \
    if (file != NONE && result == 0) note_on(descriptor, TRUNCATE, length, NULL, 0); \
    return result; \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

int unlink(const char *path) {
  REAL(unlink);
  int result = real(path);
  int file = file_at(path);
  char name[NAME + 1];
  if (file == STORED) name_of(path, name);
  if (file != NONE && result == 0) note_of(name, REMOVE, file, 0, NULL, 0);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  int result = real(path, mode);
  int file = file_at(path);
  if (file == STORE && result == 0) note(CREATE, file, 0, NULL, 0);
  return result;
}

int rename(const char *from, const char *to) {
  REAL(rename);
  // Neither SQLite nor the application renames database files, or stored ones.
  if (file_at(from) != NONE || file_at(to) != NONE) abort();
  return real(from, to);
}

static int fails(int descriptor, int file, int64_t number) {
  const char *marker = getenv("RECORD_FAIL");
  if (file != LOG || !marker) return 0;
  if (access(marker, F_OK) == 0 && unlink(marker) == 0) {
    failures++;
    note(SYNC_FAIL, file, number, NULL, 0);
  }
  if (reported[descriptor] == failures) return 0;
  reported[descriptor] = failures;
  errno = EIO;
  return 1;
}

#define SYNC(name) \
  int name(int descriptor) { \
    REAL(name); \
    int file = file_of(descriptor); \
    if (file == NONE) return real(descriptor); \
    int64_t number = ((int64_t)getpid() << 32) | __atomic_add_fetch(&syncs, 1, __ATOMIC_RELAXED); \
    note_on(descriptor, SYNC_BEGIN, number, NULL, 0); \
    if (fails(descriptor, file, number)) return -1; \
    int result = real(descriptor); \
    if (result == 0) note_on(descriptor, SYNC_END, number, NULL, 0); \
    return result; \
  }
SYNC(fsync)
SYNC(fdatasync)
