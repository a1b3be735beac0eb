/* Simulates another machine for a process and its children: the reported number of processors and size of memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static long setting(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

long sysconf(int name) {
  static long (*original)(int);
  if (!original) original = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  long cores = setting("WHORL_CORES"), gib = setting("WHORL_MEMORY_GIB");
  if (cores && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return cores;
  if (gib && (name == _SC_PHYS_PAGES || name == _SC_AVPHYS_PAGES)) return (gib << 30) / original(_SC_PAGESIZE);
  return original(name);
}

int get_nprocs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int get_nprocs_conf(void) { return (int)sysconf(_SC_NPROCESSORS_CONF); }

int sysinfo(struct sysinfo *info) {
  static int (*original)(struct sysinfo *);
  if (!original) original = (int (*)(struct sysinfo *))dlsym(RTLD_NEXT, "sysinfo");
  int answer = original(info);
  long gib = setting("WHORL_MEMORY_GIB");
  if (answer == 0 && gib) info->totalram = ((unsigned long)gib << 30) / info->mem_unit;
  return answer;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  static int (*original)(pid_t, size_t, cpu_set_t *);
  if (!original) original = (int (*)(pid_t, size_t, cpu_set_t *))dlsym(RTLD_NEXT, "sched_getaffinity");
  int answer = original(pid, size, set);
  long cores = setting("WHORL_CORES");
  if (answer == 0 && cores) {
    CPU_ZERO_S(size, set);
    for (long core = 0; core < cores; core++) CPU_SET_S(core, size, set);
  }
  return answer;
}

/* Firefox counts the processors in this file. */
static int open_processors(long cores) {
  int file = memfd_create("processors", MFD_CLOEXEC);
  if (file < 0) return -1;
  dprintf(file, cores > 1 ? "0-%ld\n" : "0\n", cores - 1);
  lseek(file, 0, SEEK_SET);
  return file;
}

static int open_as(const char *symbol, const char *path, int flags, mode_t mode) {
  long cores = setting("WHORL_CORES");
  if (cores && strcmp(path, "/sys/devices/system/cpu/present") == 0) return open_processors(cores);
  int (*original)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, symbol);
  return original(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_as("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_as("open64", path, flags, mode);
}
