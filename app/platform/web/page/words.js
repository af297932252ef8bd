// What the page says itself, before and beside the app, in the browser's language.
const english = {
  loading: 'Warplens',
  noWebGl: 'This browser gives no WebGL 2, which Warplens draws with. Try another browser, or turn on hardware acceleration.',
  noWasm: 'This browser runs no WebAssembly with SIMD, which Warplens needs. A newer one will do.',
  failed: 'Warplens could not be loaded: ',
  crashed: 'Warplens has stopped. What was open is kept: reload the page. ',
  bad: 'The link could not be opened: ',
  lostPicture: 'The graphics driver has taken the picture away. What was open is kept: reload the page.',
  tooLarge: 'A file of up to 64 MiB can be opened, not ',
  noFullScreen: 'This browser does not give the whole screen to a page.',
};
const chinese = {
  loading: 'Warplens',
  noWebGl: '这个浏览器不支持 WebGL 2，Warplens 无法绘图。请换一个浏览器，或打开硬件加速。',
  noWasm: '这个浏览器不支持带 SIMD 的 WebAssembly，Warplens 无法运行。请使用较新的浏览器。',
  failed: 'Warplens 加载失败：',
  crashed: 'Warplens 已停止。打开的内容已保存，请刷新页面。',
  bad: '链接无法打开：',
  lostPicture: '显卡驱动收回了画面。打开的内容已保存，请刷新页面。',
  tooLarge: '只能打开不超过 64 MiB 的文件：',
  noFullScreen: '这个浏览器不允许网页全屏显示。',
};

export const language = navigator.language.startsWith('zh') ? 'zh-CN' : 'en';
export const words = language === 'zh-CN' ? chinese : english;
// What ends everything is said in both: whoever helps may read the other.
export const both = key => `${english[key]}\n${chinese[key]}`;
