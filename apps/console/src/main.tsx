import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

// A file that an earlier version of the page names is gone once a new one is deployed.
addEventListener('vite:preloadError', () => location.reload());

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// For the style element that keeps the page from scrolling behind a dialog.
setNonce(nonce);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App nonce={nonce} />
    </StrictMode>,
  );
