// Comes before Scalar's script and starts it when the page is there.
const nonce = document.querySelector('meta[property=csp-nonce]').content;
const createElement = document.createElement.bind(document);

// Two of the renderer's style elements, its theme and its notices, do not take the page's nonce by themselves.
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

document.addEventListener('DOMContentLoaded', () => {
  // Nothing is asked of Scalar's own services, and nothing is offered that would need them.
  window.Scalar.createApiReference('#reference', {
    url: '/api/v1/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    authentication: { preferredSecurityScheme: 'bearer' },
    // A token lives five minutes: pasted once, it survives a reload.
    persistAuth: true,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
