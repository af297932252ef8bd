struct S { S s; }; __global__ void k(int* p) { S x; p[0] = sizeof(x); }
