#include <cuda_runtime.h>
#include "graph.h"
#define UNSEEN (-1)
// One step of a breadth-first search: a thread a vertex, compare-and-swap on the level.
__global__ void bfs_step(const int *__restrict__ offsets, const int *__restrict__ edges, int *levels, int *frontier,
                         int *frontier_size, int vertices, int level) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += blockDim.x * gridDim.x) {
    if (levels[v] != level) continue;
    for (int e = offsets[v], end = offsets[v + 1]; e != end; ++e) {
      int to = edges[e] % vertices;
      if (atomicCAS(&levels[to], 0, level + 1) == 0) atomicAdd(frontier_size, 1);
    }
    frontier[v] = 1;
  }
}

// ---- host
void bfs(const Graph &g) { while (size) { bfs_step<<<4, 64>>>(o, e, l, f, s, g.vertices(), level++); } }
