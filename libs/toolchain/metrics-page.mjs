// npm run metrics-page: writes dist/docs/metrics.md, every metric as the sources declare it: name, type, labels, help.
// `--json` prints the declarations; the system test of monitoring holds alerts, dashboard and running services to them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const PAGE = 'dist/docs/metrics.md';
const TYPES = ['Counter', 'Gauge', 'Histogram', 'Summary'];

const files = execFileSync('git', ['ls-files', '--', 'apps/*/src/*.ts', 'libs/*/src/*.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !file.endsWith('.spec.ts'));
const metrics = files.flatMap(declaredIn).sort((a, b) => (a.name < b.name ? -1 : 1));

if (process.argv.includes('--json')) process.stdout.write(JSON.stringify(metrics));
else {
  mkdirSync('dist/docs', { recursive: true });
  writeFileSync(PAGE, pageOf(metrics));
  console.log(`${metrics.length} metrics in ${PAGE}`);
}

/** The metrics that a file declares with a name of its own; a helper that takes the name declares none. */
function declaredIn(file) {
  const text = readFileSync(file, 'utf8');
  if (!/prom-client|gauges: \[/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(source);
  const found = [];
  const add = (type, { name, help, labels = [] }) => {
    if (typeof name !== 'string') return;
    if (typeof help !== 'string' || !Array.isArray(labels)) {
      throw new Error(`${file}: the help and labels of ${name} must be literals or constants of the file`);
    }
    found.push({ name, type: type.toLowerCase(), labels, help, file });
  };
  const visit = (node) => {
    if (ts.isNewExpression(node) && TYPES.includes(node.expression.getText())) {
      const { name, help, labelNames } = valuesOf(node.arguments?.[0], constants);
      add(node.expression.getText(), { name, help, labels: labelNames });
    } else if (ts.isCallExpression(node) && /^(counter|gauge)$/.test(node.expression.getText())) {
      const [, name, help, labels] = node.arguments.map((argument) => evaluate(argument, constants));
      add(node.expression.getText(), { name, help, labels });
    } else if (ts.isObjectLiteralExpression(node)) {
      const { gauges, labels } = valuesOf(node, constants);
      if (Array.isArray(gauges)) for (const gauge of gauges) add('gauge', { ...gauge, labels });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The initializers of a file's constants, by name; each holds in the function or file that declares it. */
function constantsOf(source) {
  const constants = [];
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.push({ name: node.name.text, value: node.initializer, scope: scopeOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return constants;
}

function scopeOf(node) {
  return ts.findAncestor(node, (one) => ts.isFunctionLike(one) || ts.isSourceFile(one));
}

/** The properties of an object literal that can be evaluated. */
function valuesOf(node, constants) {
  if (!node || !ts.isObjectLiteralExpression(node)) return {};
  const entries = node.properties.flatMap((property) => {
    if (ts.isPropertyAssignment(property))
      return [[property.name.text, evaluate(property.initializer, constants)]];
    if (ts.isShorthandPropertyAssignment(property))
      return [[property.name.text, evaluate(property.name, constants)]];
    return [];
  });
  return Object.fromEntries(entries);
}

/** Of literals, and of constants of the file made of them; anything else is undefined. */
function evaluate(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => evaluate(element, constants));
  if (ts.isObjectLiteralExpression(node)) return valuesOf(node, constants);
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, span) => `${text}${evaluate(span.expression, constants)}${span.literal.text}`,
      node.head.text,
    );
  }
  const constant = constants.find(
    ({ name, scope }) =>
      ts.isIdentifier(node) && name === node.text && ts.findAncestor(node, (one) => one === scope),
  );
  return constant && evaluate(constant.value, constants);
}

function pageOf(rows) {
  const lines = rows.map(
    ({ name, type, labels, file, help }) =>
      `| \`${name}\` | ${type} | ${labels.join(', ')} | ${file} | ${help} |`,
  );
  return [
    '# Every metric',
    '',
    'Written by `npm run metrics-page` from the declarations; how to read them: docs/platform/metrics.md. What a library',
    'declares, every service that uses it exports. All are labelled with `service` too.',
    '',
    '| metric | type | labels | declared in | says |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
