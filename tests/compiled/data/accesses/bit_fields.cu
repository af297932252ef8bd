// Bit fields, and structs that are copied by functions of their own.
struct Cell {
  unsigned kind : 3, count : 7, id : 22;
};
struct Mixed {
  unsigned char low : 3, high : 5;
  unsigned short part : 9;
  int delta : 6;
};
struct Tight {
  char c;
  int n : 4;
};
struct Wide {
  unsigned long long at : 40, length : 20;
  unsigned flags : 5;
};
struct Flags {
  bool first : 1, second : 1;
  int number;
};
struct Part {
  unsigned a : 4;
  unsigned b : 5;
};
struct Copied {
  float x, y;
  __device__ Copied(float v) : x(v), y(v) {}
  __device__ Copied(const Copied& other) : x(other.x), y(other.y) {}
};
struct alignas(8) Aligned {
  float x, y;
  __device__ Aligned(const Aligned& other) : x(other.x), y(other.y) {}
};

__global__ void one(const Cell* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].count;
}

__global__ void three(const Cell* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].kind + a[i].count + a[i].id;
}

__global__ void put(Cell* a, int v) {
  int i = threadIdx.x;
  a[i].count = v;
}

__global__ void put_two(Cell* a, int v) {
  int i = threadIdx.x;
  a[i].count = v;
  a[i].kind = v + 1;
}

__global__ void step(Cell* a) {
  int i = threadIdx.x;
  a[i].count++;
}

__global__ void copy(const Cell* a, Cell* b) {
  int i = threadIdx.x;
  b[i] = a[i];
}

__global__ void copy_and_change(const Cell* a, Cell* b) {
  int i = threadIdx.x;
  Cell c = a[i];
  c.count = 5;
  b[i] = c;
}

__global__ void nested_units(Mixed* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].low + a[i].delta;
}

__global__ void put_nested(Mixed* a, int v) {
  int i = threadIdx.x;
  a[i].delta = v;
}

__global__ void put_small(Mixed* a, int v) {
  int i = threadIdx.x;
  a[i].part = v;
}

__global__ void beside(Tight* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].n;
}

__global__ void put_beside(Tight* a, int v) {
  int i = threadIdx.x;
  a[i].n = v;
}

__global__ void wide(const Wide* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].length + a[i].flags;
}

__global__ void flag(Flags* a) {
  int i = threadIdx.x;
  a[i].second = a[i].first;
}

__global__ void part(const Part* a, int* o) {
  int i = threadIdx.x;
  o[i] = a[i].a * a[i].b;
}

__global__ void copied(const Copied* a, float* o) {
  int i = threadIdx.x;
  Copied c = a[i];
  o[i] = c.x + c.y;
}

__global__ void copied_in_part(const Copied* a, float* o) {
  int i = threadIdx.x;
  Copied c = a[i];
  o[i] = c.x;
}

__global__ void aligned(const Aligned* a, float* o) {
  int i = threadIdx.x;
  Aligned c = a[i];
  o[i] = c.x + c.y;
}

__global__ void passed(Aligned* a, float* o) {
  int i = threadIdx.x;
  Aligned c(a[i]), d(c);
  o[i] = d.y + d.x;
}
