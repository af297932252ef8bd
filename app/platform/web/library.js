// What the WebAssembly asks of the page, and how its work is suspended (slices.cpp). The page hands over an object
// as Module.page: copy(text), fetchAsset(name), wake(), reducedMotion.
mergeInto(LibraryManager.library, {
  $wlFibers: {waiting: [], run: null},

  wl_can_suspend: function () {
    return typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function' ? 1 : 0;
  },
  wl_enter_fiber__deps: ['$wlFibers'],
  wl_enter_fiber: function () {
    if (wlFibers.run === null) wlFibers.run = WebAssembly.promising(Module['asm']['wl_run_fiber']);
    wlFibers.run().catch(function (error) { Module['onAbort'] ? Module['onAbort'](error) : console.error(error); });
  },
  // An import that suspends whoever calls it is an object of its own kind, not a function.
  wl_suspend_fiber__deps: ['$wlFibers'],
  wl_suspend_fiber: "=typeof WebAssembly.Suspending === 'function' ? new WebAssembly.Suspending(function () { return new Promise(function (go) { wlFibers.waiting.push(go); }); }) : function () {}",
  wl_resume_fiber__deps: ['$wlFibers'],
  wl_resume_fiber: function () {
    var go = wlFibers.waiting.shift();
    if (go) go();
  },

  // Dear ImGui's backend asks for what it will put back, and of these the driver is asked: each waits until all
  // that was drawn before is done. What it puts back is set anew by whoever draws next.
  glGetIntegerv__deps: ['$emscriptenWebGLGet'],
  glGetIntegerv: function (name, to) {
    var soon = {0x80C9: 1, 0x80C8: 0, 0x80CB: 1, 0x80CA: 0, 0x8009: 0x8006, 0x883D: 0x8006};  // blending, as it begins
    if (name in soon) HEAP32[to >> 2] = soon[name];
    else if (name === 0x0BA2 || name === 0x0C10)  // viewport, scissor
      [0, 0, GLctx.drawingBufferWidth, GLctx.drawingBufferHeight].forEach(function (value, i) { HEAP32[(to >> 2) + i] = value; });
    else emscriptenWebGLGet(name, to, 0);
  },

  wl_page_copy: function (text) { Module['page']['copy'](UTF8ToString(text)); },
  wl_page_wake: function () { Module['page']['wake'](); },
  wl_page_fetch: function (name) { Module['page']['fetchAsset'](UTF8ToString(name)); },
  wl_page_less_motion: function () { return Module['page']['reducedMotion'] ? 1 : 0; },
});
