// Preloaded into PostgreSQL: each fsync and fdatasync first sleeps for the milliseconds that the file SLOW_FSYNC_FILE has.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
  const char *path = getenv("SLOW_FSYNC_FILE");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  long milliseconds = 0;
  if (file == NULL) return;
  if (fscanf(file, "%ld", &milliseconds) != 1) milliseconds = 0;
  fclose(file);
  struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  // A signal interrupts the sleep, not a disk.
  while (nanosleep(&left, &left) == -1) continue;
}

int fsync(int descriptor) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return next(descriptor);
}

int fdatasync(int descriptor) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return next(descriptor);
}
