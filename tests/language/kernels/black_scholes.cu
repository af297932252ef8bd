#include <math.h>
__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f;
  const float A2 = -0.356563782f;
  const float A3 = 1.781477937f;
  const float A4 = -1.821255978f;
  const float A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X, float T, float R,
                                           float V) {
  float sqrtT, expRT;
  float d1, d2, CNDD1, CNDD2;
  sqrtT = __fdividef(1.0F, rsqrtf(T));
  d1 = __fdividef(logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
  d2 = d1 - V * sqrtT;
  CNDD1 = cndGPU(d1);
  CNDD2 = cndGPU(d2);
  expRT = __expf(-R * T);
  CallResult = S * CNDD1 - X * expRT * CNDD2;
  PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}
__launch_bounds__(128) __global__ void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict d_PutResult,
                                                       float2 *__restrict d_StockPrice, float2 *__restrict d_OptionStrike,
                                                       float2 *__restrict d_OptionYears, float Riskfree,
                                                       float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  float callResult1, callResult2;
  float putResult1, putResult2;
  if (opt < (optN / 2)) {
    BlackScholesBodyGPU(callResult1, putResult1, d_StockPrice[opt].x + 5, d_OptionStrike[opt].x + 1,
                        d_OptionYears[opt].x + 0.25f, Riskfree, Volatility);
    BlackScholesBodyGPU(callResult2, putResult2, d_StockPrice[opt].y + 5, d_OptionStrike[opt].y + 1,
                        d_OptionYears[opt].y + 0.25f, Riskfree, Volatility);
    d_CallResult[opt] = make_float2(callResult1, callResult2);
    d_PutResult[opt] = make_float2(putResult1, putResult2);
  }
}

// ---- host
int main() { BlackScholesGPU<<<DIV_UP((OPT_N / 2), 128), 128>>>((float2 *)c, (float2 *)p, (float2 *)s, (float2 *)x, (float2 *)t, RISKFREE, VOLATILITY, OPT_N); }
