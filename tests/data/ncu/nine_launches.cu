// Nine small launches that were counted on an H100 (nine_launches.csv: ncu --section MemoryWorkloadAnalysis_Tables --page raw --csv).
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;
__global__ void rs(float*i,float*o){__shared__ float t[32][32];int x=threadIdx.x;for(int r=0;r<32;r++)t[r][x]=i[r*32+x];__syncthreads();float s=0;for(int k=0;k<32;k++)s+=t[x][k];o[x]=s;}
template<int S>__global__ void st(float2*i,float*o){__shared__ float t[16*S];int l=threadIdx.x;*(float2*)&t[l/4*S+l%4*2]=i[l];__syncthreads();o[l]=t[l*S/4];}
__global__ void bs(uint4*i,uint4*o){__shared__ uint4 t[32];int l=threadIdx.x;t[l]=i[(l&15)*2+(l>>4)];__syncthreads();o[l]=t[l^1];}
__global__ void ba(uint4*i,uint4*o){__shared__ uint4 t[32];int l=threadIdx.x;__pipeline_memcpy_async(&t[l],&i[(l&15)*2+(l>>4)],16);__pipeline_commit();__pipeline_wait_prior(0);__syncthreads();o[l]=t[l^1];}
__global__ void lm(int*i,float*o){float t[8];for(int k=0;k<8;k++)t[k]=i[k]*.5f;o[threadIdx.x]=t[i[threadIdx.x]&7];}
struct __align__(16) R{float3 p;float g;};
__global__ void ra(R*r){R a=r[threadIdx.x];a.g=3;r[threadIdx.x]=a;}
__global__ void wm(half*i,float*o){__shared__ half t[18][40];for(int k=threadIdx.x;k<256;k+=32)t[k/16][k%16]=i[k];__syncwarp();wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>a;wmma::load_matrix_sync(a,&t[i==0][0],40);float s=0;for(int e=0;e<a.num_elements;e++)s+=__half2float(a.x[e]);o[threadIdx.x]=s;}
int main(){char*p,*q;cudaMalloc(&p,1<<20);cudaMalloc(&q,1<<20);cudaMemset(p,0,1<<20);
#define P(T)(T*)p
rs<<<1,32>>>(P(float),(float*)q);st<64><<<1,32>>>(P(float2),(float*)q);st<68><<<1,32>>>(P(float2),(float*)q);st<72><<<1,32>>>(P(float2),(float*)q);bs<<<1,32>>>(P(uint4),(uint4*)q);ba<<<1,32>>>(P(uint4),(uint4*)q);lm<<<1,32>>>(P(int),(float*)q);ra<<<1,32>>>(P(R));wm<<<1,32>>>(P(half),(float*)q);cudaDeviceSynchronize();}
