import { isErrorCode, type ErrorCode } from '@reseller/errors';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { RPCS } from '../schema/promised-errors';
import { MESSAGES, ROOT } from '../schema/schema';

/** What an app's source does with other services' RPCs and messages, as its types show. */
export interface Usage {
  /** `Service.Rpc` → names of the request's fields that it sends, as TypeScript spells them. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
  /** Message name → fields it reads, as TypeScript spells them. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
  /** Codes that it distinguishes when a call fails. */
  readonly codes: ReadonlySet<ErrorCode>;
}

const GENERATED = `${path.join(ROOT, 'libs/contracts/src/gen')}${path.sep}`;
/** What is large and has no message in its types; a compiler that leaves it out is done in half of the time. */
const OF_NO_MESSAGE = /^(@aws-sdk|ioredis)|\/generated\//;
const PRESENTERS = 'libs/presenters';

/** The apps that call services. */
const CONSUMERS: readonly string[] = readdirSync(path.join(ROOT, 'apps')).filter((app) =>
  ['gateway', 'backoffice', 'identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'].includes(app),
);

const rpcByRequest = new Map([...RPCS].map(([name, { input }]) => [input.name, name]));

/** What only these names can be: a field of a message, or a client's method; of anything else no type is looked up. */
const FIELDS = new Set(MESSAGES.flatMap(({ members }) => members.flatMap((one) => one.localName)));
const METHODS = new Set([...RPCS.values()].map(({ name }) => name.toLowerCase()));

/** Reads the sources of all consumers once, with the compiler; what presenters read counts for each app that uses them. */
export function readUsages(): ReadonlyMap<string, Usage> {
  const filesOf = new Map(
    [...CONSUMERS.map((app) => `apps/${app}`), PRESENTERS].map((dir) => [dir, sourcesOf(dir)]),
  );
  const program = createProgram([...filesOf.values()].flat());
  const checker = program.getTypeChecker();
  const usages = new Map(
    [...filesOf].map(([dir, files]) => {
      const collector = new Collector(checker);
      for (const file of files) {
        const source = program.getSourceFile(file);
        if (source) collector.visit(source);
      }
      return [dir, collector] as const;
    }),
  );
  const presented = usages.get(PRESENTERS);
  return new Map(
    CONSUMERS.map((app) => {
      const own = usages.get(`apps/${app}`) ?? new Collector(checker);
      const usesPresenters = (filesOf.get(`apps/${app}`) ?? []).some((file) =>
        readFileSync(file, 'utf8').includes('@reseller/presenters'),
      );
      if (usesPresenters && presented) own.add(presented);
      return [app, own];
    }),
  );
}

function sourcesOf(dir: string): string[] {
  const folder = path.join(ROOT, dir, 'src');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !file.startsWith('generated'))
    .map((file) => path.join(folder, file));
}

function createProgram(files: string[]): ts.Program {
  const base = ts.readConfigFile(path.join(ROOT, 'tsconfig.base.json'), (file) => ts.sys.readFile(file));
  const { options: given } = ts.parseJsonConfigFileContent(base.config, ts.sys, ROOT);
  const options = { ...given, noEmit: true };
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(ROOT, (file) => file, options);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      OF_NO_MESSAGE.test(text)
        ? { resolvedModule: undefined }
        : ts.resolveModuleName(text, from, options, host, cache),
    );
  return ts.createProgram(files, options, host);
}

class Collector implements Usage {
  readonly calls = new Map<string, Set<string>>();
  readonly reads = new Map<string, Set<string>>();
  readonly codes = new Set<ErrorCode>();

  constructor(private readonly checker: ts.TypeChecker) {}

  add(other: Collector): void {
    for (const [message, fields] of other.reads) for (const field of fields) this.read(message, field);
  }

  visit(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node)) {
      const { text } = node.name;
      if (FIELDS.has(text)) this.readSymbol(this.checker.getSymbolAtLocation(node.name));
      if (METHODS.has(text.toLowerCase())) this.visitMethod(node, text, this.checker.getTypeAtLocation(node));
    } else if (ts.isElementAccessExpression(node)) this.visitElement(node);
    else if (ts.isObjectBindingPattern(node)) this.visitPattern(node);
    else if (ts.isSpreadAssignment(node)) this.readAll(this.checker.getTypeAtLocation(node.expression));
    else if (ts.isStringLiteral(node)) this.visitText(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  /** A method chosen by its name at run time counts as each of those it may be. */
  private visitElement(node: ts.ElementAccessExpression): void {
    const chosen = this.checker.getTypeAtLocation(node.argumentExpression);
    const client = this.checker.getTypeAtLocation(node.expression);
    for (const one of chosen.isUnion() ? chosen.types : [chosen]) {
      const method = one.isStringLiteral() ? client.getProperty(one.value) : undefined;
      if (method) this.visitMethod(node, method.name, this.checker.getTypeOfSymbolAtLocation(method, node));
    }
  }

  // Called, or handed on to be called: what counts is that a client's method is named.
  private visitMethod(node: ts.Expression, name: string, method: ts.Type): void {
    const parameter = method.getCallSignatures()[0]?.parameters[0];
    if (!parameter) return;
    const type = this.checker.getTypeOfSymbolAtLocation(parameter, node);
    const rpc = rpcByRequest.get(generatedName(type) ?? '');
    // The client's method is the RPC's name in lower case; anything else that takes the message is the app's own.
    if (!rpc || rpc.split('.')[1]?.toLowerCase() !== name.toLowerCase()) return;
    const sent = this.calls.get(rpc) ?? new Set<string>();
    this.calls.set(rpc, sent);
    const call =
      ts.isCallExpression(node.parent) && node.parent.expression === node ? node.parent : undefined;
    const given = call?.arguments[0] ? this.checker.getTypeAtLocation(call.arguments[0]) : type;
    const known = new Set(type.getProperties().map((field) => field.name));
    for (const field of given.getProperties()) if (known.has(field.name)) sent.add(field.name);
  }

  private visitPattern(node: ts.ObjectBindingPattern): void {
    const names = node.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
    if (!names.some((name) => FIELDS.has(name)) && !node.elements.some((one) => one.dotDotDotToken)) return;
    const type = this.checker.getTypeAtLocation(node);
    for (const element of node.elements) {
      if (element.dotDotDotToken) this.readAll(type);
      const name = element.propertyName ?? element.name;
      if (ts.isIdentifier(name)) this.readSymbol(type.getProperty(name.text));
    }
  }

  private readAll(type: ts.Type): void {
    for (const symbol of type.getProperties()) this.readSymbol(symbol);
  }

  private readSymbol(symbol: ts.Symbol | undefined): void {
    const declaration = symbol?.declarations?.[0];
    if (!declaration || !ts.isPropertySignature(declaration)) return;
    if (!declaration.getSourceFile().fileName.startsWith(GENERATED)) return;
    if (ts.isInterfaceDeclaration(declaration.parent)) this.read(declaration.parent.name.text, symbol.name);
  }

  private read(message: string, field: string): void {
    this.reads.set(message, (this.reads.get(message) ?? new Set()).add(field));
  }

  // Compared with, listed among others, or a key: not made, which `new AppError('…')` does, and not declared.
  private visitText({ text, parent }: ts.StringLiteral): void {
    if (!isErrorCode(text)) return;
    const isDistinguished =
      ts.isBinaryExpression(parent) ||
      ts.isCaseClause(parent) ||
      // A route's list of errors is what it passes on, all alike.
      (ts.isArrayLiteralExpression(parent) &&
        !(ts.isPropertyAssignment(parent.parent) && parent.parent.name.getText() === 'errors'));
    if (isDistinguished) this.codes.add(text);
  }
}

function generatedName(type: ts.Type): string | undefined {
  const declaration = type.symbol?.declarations?.[0];
  if (!declaration?.getSourceFile().fileName.startsWith(GENERATED)) return undefined;
  return type.symbol.name;
}
