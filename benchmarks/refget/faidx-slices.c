/* Fetches slices of a sequence with htslib's faidx, in one process:
     faidx-slices FASTA NAME WIDTH CACHE STARTS          prints the seconds that all slices take
     faidx-slices FASTA NAME WIDTH CACHE STARTS --bases  prints the bases, a line for each slice
     faidx-slices --version
   CACHE is how many bytes of inflated blocks are kept; STARTS is a file of numbers, 0-based. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <htslib/faidx.h>
#include <htslib/hts.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "faidx-slices: %s\n", what);
    exit(1);
}

static hts_pos_t *read_starts(const char *path, size_t *count)
{
    size_t capacity = 1024;
    hts_pos_t *starts = malloc(capacity * sizeof *starts);
    FILE *file = fopen(path, "r");
    long long start;
    if (!file || !starts) fail("cannot read the starts");
    for (*count = 0; fscanf(file, "%lld", &start) == 1; ++*count) {
        if (*count == capacity) starts = realloc(starts, (capacity *= 2) * sizeof *starts);
        if (!starts) fail("out of memory");
        starts[*count] = start;
    }
    fclose(file);
    if (*count == 0) fail("no starts");
    return starts;
}

static char *fetch(const faidx_t *fasta, const char *name, hts_pos_t start, hts_pos_t width)
{
    hts_pos_t length;
    char *bases = faidx_fetch_seq64(fasta, name, start, start + width - 1, &length);
    if (!bases || length != width) fail("cannot fetch a slice");
    return bases;
}

int main(int argc, char **argv)
{
    size_t count, i;
    if (argc == 2) return puts(hts_version()) < 0;
    if (argc < 6) fail("FASTA NAME WIDTH CACHE STARTS expected");
    hts_pos_t width = atoll(argv[3]);
    hts_pos_t *starts = read_starts(argv[5], &count);
    faidx_t *fasta = fai_load(argv[1]);
    if (!fasta) fail("cannot load the index");
    fai_set_cache_size(fasta, atoi(argv[4]));
    /* Unmeasured, so that memory and the kept blocks are as in a process that is up. */
    for (i = 0; i < count; ++i) free(fetch(fasta, argv[2], starts[i], width));
    double begun = now();
    for (i = 0; i < count; ++i) {
        char *bases = fetch(fasta, argv[2], starts[i], width);
        if (argc > 6) puts(bases);
        free(bases);
    }
    if (argc == 6) printf("%.9f\n", now() - begun);
    return 0;
}
