// The reader's own fonts: nothing to load, and no licence of a font to keep.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // An address of the reference that was here before, such as /docs#/Wallet.
    if (globalThis.location?.hash.startsWith('#/')) location.replace('/docs/reference');
  },
};
