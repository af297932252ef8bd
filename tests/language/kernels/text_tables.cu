// Text as tables of characters: arrays that hold it, and pointers to it.
__constant__ char digits[] = "0123456789abcdef";
static __device__ __const__ char names[3][6] = {"red", "green", "blue"};
struct Label {
  char text[8];
  int length;
};

__device__ int length_of(const char* text) {
  int n = 0;
  while (text[n]) ++n;
  return n;
}

__global__ void spell(const int* in, char* out, int* lengths, int n) {
  const char letters[] = "ABCDEFGHIJKLMNOP";
  char changed[20] = "changes \x41\n";
  const char rows[2][4] = {"ab", {'c', 'd', 'e'}};
  const char* hexadecimal = "0123456789abcdef";
  const char* colours[] = {"cyan", "magenta", "yellow"};
  const Label label = {"label", 5};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = in[i];
  changed[i % 5] = 'x';
  out[8 * i] = letters[value & 15];
  out[8 * i + 1] = hexadecimal[value >> 4 & 15];
  out[8 * i + 2] = digits[value >> 8 & 15];
  out[8 * i + 3] = names[i % 3][value & 3];
  out[8 * i + 4] = changed[i % 11];
  out[8 * i + 5] = rows[i & 1][value & 3];
  out[8 * i + 6] = colours[i % 3][value & 3];
  out[8 * i + 7] = label.text[value & 7];
  lengths[i] = length_of(i % 2 ? "odd" : "even, and longer") + sizeof("four") + sizeof(letters) +
               sizeof(names[0]) + label.length;
}

// ---- host
int main() { spell<<<2, 64>>>(in, out, lengths, 100); }
