import { readdirSync, rmSync, rmdirSync } from 'node:fs';
import path from 'node:path';

/** Read by editors, browsers and people, never by Node.js. */
const NEVER_RUN = /\.(map|[cm]?ts|flow|md|markdown|tsbuildinfo|coffee)$/i;

/** Beside a package's code, at its top. */
const NEVER_SHIPPED = /^(tests?|__tests__|bench|benchmarks?|examples?|docs?|\.github)\//;

/** Packages of which a service runs a small part: what of them stays, beside package.json and the licence. */
const KEPT = {
  // One query compiler for each database and two sizes of each; the generated clients name PostgreSQL's small one.
  '@prisma/client': /^runtime\/(client\.js|query_compiler_small_bg\.postgresql\.(wasm-base64\.)?js)$/,
  'libphonenumber-js': /^(index\.cjs|min\/|build\/|core\/|metadata\.min\.json|[^/]+\.(cjs|json))/,
  pdfkit: /^js\/(pdfkit\.(js|node\.mjs)|output\.|data\/|standard-fonts\/)/,
  fontkit: /^dist\/(main\.cjs|module\.mjs)$/,
};
/** Families come in nine weights with pictures; a statement is printed in two. */
const FONTS = { package: /^@expo-google-fonts\//, kept: /^(400Regular|700Bold)\/[^/]+\.ttf$/ };
const LICENCE = /^(licen[cs]e|notice|copying)/i;

function packageAt(relative) {
  const inside = relative.slice(relative.lastIndexOf('node_modules/') + 'node_modules/'.length).split('/');
  const length = inside[0].startsWith('@') ? 2 : 1;
  return { name: inside.slice(0, length).join('/'), file: inside.slice(length).join('/') };
}

const keptOf = (name) => (FONTS.package.test(name) ? FONTS.kept : KEPT[name]);

/** True when a file, named from `node_modules/` on, belongs in a bundle. */
export function isKept(relative) {
  const { name, file } = packageAt(relative);
  if (file === 'package.json' || LICENCE.test(path.basename(file))) return true;
  return !NEVER_RUN.test(file) && !NEVER_SHIPPED.test(file) && (keptOf(name)?.test(file) ?? true);
}

/** Removes from a bundle's node_modules what no service reads, and npm's own bookkeeping. */
export function trimPackages(nodeModules) {
  for (const own of ['.package-lock.json', '.bin'])
    rmSync(path.join(nodeModules, own), { recursive: true, force: true });
  trimFolder(nodeModules, 'node_modules');
}

function trimFolder(directory, relative) {
  let left = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const at = path.join(directory, entry.name);
    const within = `${relative}/${entry.name}`;
    if (entry.name === '.bin' || NEVER_SHIPPED.test(`${packageAt(within).file}/`))
      rmSync(at, { recursive: true });
    else if (entry.isDirectory()) left += trimFolder(at, within);
    else if (isKept(within)) left += 1;
    else rmSync(at);
  }
  if (left === 0) rmdirSync(directory);
  return left;
}
