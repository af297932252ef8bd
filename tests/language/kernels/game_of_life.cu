typedef unsigned char ubyte;
__global__ void simpleLifeKernel(const ubyte *lifeData, unsigned worldWidth, unsigned worldHeight, ubyte *resultLifeData) {
  unsigned worldSize = worldWidth * worldHeight;
  for (unsigned cellId = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; cellId < worldSize;
       cellId += blockDim.x * gridDim.x) {
    unsigned x = cellId % worldWidth;
    unsigned yAbs = cellId - x;
    unsigned xLeft = (x + worldWidth - 1) % worldWidth;
    unsigned xRight = (x + 1) % worldWidth;
    unsigned yAbsUp = (yAbs + worldSize - worldWidth) % worldSize;
    unsigned yAbsDown = (yAbs + worldWidth) % worldSize;
    unsigned aliveCells = lifeData[xLeft + yAbsUp] + lifeData[x + yAbsUp] + lifeData[xRight + yAbsUp] +
                          lifeData[xLeft + yAbs] + lifeData[xRight + yAbs] + lifeData[xLeft + yAbsDown] +
                          lifeData[x + yAbsDown] + lifeData[xRight + yAbsDown];
    resultLifeData[x + yAbs] = aliveCells == 3 || (aliveCells == 2 && lifeData[x + yAbs]) ? 1 : 0;
  }
}

// ---- host
int main() { simpleLifeKernel<<<2, 128>>>(a, 30, 20, b); std::swap(a, b); }
