/* Loads an index with htslib and answers regions with it, in one process:
     htslib-queries DATA INDEX REGIONS           prints the seconds of loading, and of asking for the regions
     htslib-queries DATA INDEX REGIONS --chunks  prints the chunks of each region: their virtual offsets, in a line
     htslib-queries --version
   DATA is a file that has a header; REGIONS has lines of reference rank, start and end, 0-based and half-open. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>

typedef struct {
    int tid;
    hts_pos_t start, end;
} region_t;

typedef struct {
    hts_idx_t *alignments;
    tbx_t *variants;
} index_t;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    fprintf(stderr, "htslib-queries: %s\n", what);
    exit(1);
}

static region_t *read_regions(const char *path, size_t *count)
{
    size_t capacity = 1024;
    region_t *regions = malloc(capacity * sizeof *regions);
    FILE *file = fopen(path, "r");
    long long start, end;
    int tid;
    if (!file || !regions) fail("cannot read the regions");
    for (*count = 0; fscanf(file, "%d %lld %lld", &tid, &start, &end) == 3; ++*count) {
        if (*count == capacity) regions = realloc(regions, (capacity *= 2) * sizeof *regions);
        if (!regions) fail("out of memory");
        regions[*count] = (region_t){ tid, start, end };
    }
    fclose(file);
    if (*count == 0) fail("no regions");
    return regions;
}

static index_t load(htsFile *data, const char *path, const char *index_path)
{
    size_t length = strlen(index_path);
    index_t index = { NULL, NULL };
    if (length > 4 && strcmp(index_path + length - 4, ".tbi") == 0) index.variants = tbx_index_load2(path, index_path);
    else index.alignments = sam_index_load2(data, path, index_path);
    if (!index.alignments && !index.variants) fail("cannot load the index");
    return index;
}

static void unload(index_t index)
{
    if (index.variants) tbx_destroy(index.variants);
    else hts_idx_destroy(index.alignments);
}

static hts_itr_t *query(index_t index, region_t region)
{
    hts_itr_t *found = index.variants ? tbx_itr_queryi(index.variants, region.tid, region.start, region.end)
                                      : sam_itr_queryi(index.alignments, region.tid, region.start, region.end);
    if (!found) fail("a region is refused");
    return found;
}

static void print_chunks(hts_itr_t *found)
{
    for (int i = 0; i < found->n_off; ++i) {
        printf("%s%llu %llu", i ? " " : "", (unsigned long long)found->off[i].u, (unsigned long long)found->off[i].v);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    size_t count, total = 0;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) return puts(hts_version()) < 0;
    if (argc < 4) fail("DATA INDEX REGIONS expected");
    region_t *regions = read_regions(argv[3], &count);
    htsFile *data = hts_open(argv[1], "r");
    if (!data) fail("cannot open the data");
    /* Unmeasured, so that memory and the system's copy of the file are as in a process that is up. */
    unload(load(data, argv[1], argv[2]));
    double begun = now();
    index_t index = load(data, argv[1], argv[2]);
    double loaded = now();
    for (size_t i = 0; i < count; ++i) {
        hts_itr_t *found = query(index, regions[i]);
        total += found->n_off;
        if (argc > 4) print_chunks(found);
        hts_itr_destroy(found);
    }
    double end = now();
    if (argc == 4) printf("%.9f %.9f %zu\n", loaded - begun, end - loaded, total);
    return 0;
}
