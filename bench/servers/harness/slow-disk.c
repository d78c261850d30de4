/*
 * A disk that takes longer: every fsync and fdatasync waits FSYNC_DELAY_US microseconds first, and is
 * counted in the file FSYNC_COUNT_FILE, eight bytes that the benchmark reads. Loaded into the server
 * by LD_PRELOAD, the same for all.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static unsigned long *count;
static struct timespec delay;

__attribute__((constructor)) static void prepare(void) {
  const char *microseconds = getenv("FSYNC_DELAY_US");
  const char *file = getenv("FSYNC_COUNT_FILE");
  long wanted = microseconds ? atol(microseconds) : 0;
  delay.tv_sec = wanted / 1000000;
  delay.tv_nsec = wanted % 1000000 * 1000;
  int descriptor = file ? open(file, O_RDWR) : -1;
  if (descriptor < 0) return;
  void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (page != MAP_FAILED) count = page;
  close(descriptor);
}

static int sync_later(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (count) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  if (delay.tv_sec || delay.tv_nsec) nanosleep(&delay, NULL);
  return real(descriptor);
}

int fsync(int descriptor) { return sync_later("fsync", descriptor); }
int fdatasync(int descriptor) { return sync_later("fdatasync", descriptor); }
