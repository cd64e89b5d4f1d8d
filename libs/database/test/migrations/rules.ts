import { parse } from 'libpg-query';
import type { AlterTableCmd, ColumnDef, Constraint, Node, RangeVar } from 'libpg-query';

/** What the database has before a migration, as far as the rules need it. */
export interface Known {
  tables: Set<string>;
}

/** A statement that would break the version that still runs, or keep it waiting. */
export interface Fault {
  statement: string;
  why: string;
}

interface Script {
  known: Known;
  /** What this very migration has made: nobody uses it yet, so anything may be done to it. */
  fresh: Known;
  /** Constraints that it adds without looking at the rows. */
  unchecked: Set<string>;
  isAlone: boolean;
}

const EXCUSE = /--[^\S\n]*safe:[^\S\n]*\S+(?:[^\S\n]+\S+){2,}/;

/** An empty database. */
export const nothingKnown = (): Known => ({ tables: new Set() });

/**
 * The statements of a migration that are not safe while the version before it runs; adds to `known` what it makes. A comment
 * `-- safe: <why, in at least three words>` right before a statement, or inside it, excuses that one.
 */
export async function findFaults(sql: string, known: Known): Promise<Fault[]> {
  const bytes = Buffer.from(sql);
  const { stmts = [] } = await parse(sql);
  const script: Script = { known, fresh: nothingKnown(), unchecked: new Set(), isAlone: stmts.length === 1 };
  const faults: Fault[] = [];
  let end = 0;
  for (const { stmt, stmt_location: from = 0, stmt_len: length } of stmts) {
    const stop = length === undefined ? bytes.length : from + length;
    const text = bytes.subarray(end, stop).toString();
    end = stop;
    if (!stmt) continue;
    const reasons = judge(stmt, script);
    remember(stmt, script);
    if (EXCUSE.test(text)) continue;
    const statement = text.replace(/--.*$/gm, '').replace(/^;/, '').replace(/\s+/g, ' ').trim().slice(0, 100);
    faults.push(...reasons.map((why) => ({ statement, why })));
  }
  for (const name of script.fresh.tables) known.tables.add(name);
  return faults;
}

const lastName = (names: Node[] = []): string => {
  const last = names.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
};

function remember(stmt: Node, { fresh, unchecked }: Script): void {
  if ('CreateStmt' in stmt) fresh.tables.add(stmt.CreateStmt.relation?.relname ?? '');
  if ('ViewStmt' in stmt) fresh.tables.add(stmt.ViewStmt.view?.relname ?? '');
  if ('AlterTableStmt' in stmt) {
    for (const { AlterTableCmd: command } of commandsOf(stmt.AlterTableStmt.cmds)) {
      const constraint = constraintOf(command.def);
      if (constraint?.skip_validation) unchecked.add(constraint.conname ?? '');
    }
  }
}

const commandsOf = (nodes: Node[] = []): { AlterTableCmd: AlterTableCmd }[] =>
  nodes.filter((node): node is { AlterTableCmd: AlterTableCmd } => 'AlterTableCmd' in node);
const constraintOf = (node: Node | undefined): Constraint | undefined =>
  node && 'Constraint' in node ? node.Constraint : undefined;

/** Kinds of statement that touch nothing which is in use. */
const HARMLESS = new Set([
  'CreateSeqStmt',
  'CreateEnumStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CommentStmt',
  'GrantStmt',
]);

type Judge = (node: never, script: Script) => string[];

/** What is judged more closely; whatever is neither here nor harmless is refused. */
const JUDGES: Record<string, Judge> = {
  CreateStmt: (node: { partbound?: unknown }) =>
    node.partbound ? ['a new partition locks its table for everybody'] : [],
  IndexStmt: judgeIndex,
  AlterTableStmt: judgeAlterTable,
  CreateFunctionStmt: () => ['functions stand in prisma/routines'],
  CreateTrigStmt: () => ['triggers stand in prisma/routines, beside their function'],
  ViewStmt: (node: { replace?: boolean }) =>
    node.replace ? ['the old version reads this view, too: say why it may'] : [],
  InsertStmt: judgeInsert,
  UpdateStmt: judgeRows,
  DeleteStmt: judgeRows,
  VariableSetStmt: (node: { is_local?: boolean }) =>
    node.is_local ? [] : ['a setting outlives the migration: SET LOCAL'],
  AlterEnumStmt: (node: { oldVal?: string }) =>
    node.oldVal === undefined ? [] : ['the old version still writes the value’s old name'],
  DropStmt: judgeDrop,
  RenameStmt: () => ['the old version still uses the old name: add the new beside it, remove the old later'],
  TruncateStmt: () => ['it takes the rows away from the old version'],
  TransactionStmt: () => ['a migration is one transaction already'],
};

function judge(stmt: Node, script: Script): string[] {
  const [[kind, node] = ['', {}]] = Object.entries(stmt);
  if (HARMLESS.has(kind)) return [];
  const judgeOf = JUDGES[kind];
  return judgeOf ? judgeOf(node as never, script) : [`${kind} is not known to be safe`];
}

const isFresh = (relation: RangeVar | undefined, { fresh }: Script): boolean =>
  fresh.tables.has(relation?.relname ?? '');

function judgeIndex(
  node: { relation?: RangeVar; concurrent?: boolean; if_not_exists?: boolean },
  script: Script,
): string[] {
  if (!node.concurrent) {
    return isFresh(node.relation, script)
      ? []
      : ['building an index stops writers: CREATE INDEX CONCURRENTLY in a migration of its own'];
  }
  return [
    ...(script.isAlone ? [] : ['CONCURRENTLY cannot be in a transaction: one such statement a migration']),
    ...(node.if_not_exists ? [] : ['it may have to be run again: CONCURRENTLY IF NOT EXISTS']),
  ];
}

function judgeDrop(
  node: { removeType?: string; concurrent?: boolean; missing_ok?: boolean },
  script: Script,
): string[] {
  if (node.removeType !== 'OBJECT_INDEX') {
    return ['the old version may still use it: first a version without it, then say so here'];
  }
  if (!node.concurrent)
    return ['dropping an index locks its table: DROP INDEX CONCURRENTLY in a migration of its own'];
  return [
    ...(script.isAlone ? [] : ['CONCURRENTLY cannot be in a transaction: one such statement a migration']),
    ...(node.missing_ok ? [] : ['it may have to be run again: CONCURRENTLY IF EXISTS']),
  ];
}

function judgeInsert(node: { relation?: RangeVar; selectStmt?: Node }, script: Script): string[] {
  if (isFresh(node.relation, script)) return [];
  const select = node.selectStmt && 'SelectStmt' in node.selectStmt ? node.selectStmt.SelectStmt : undefined;
  return select?.valuesLists
    ? []
    : ['filling a table in one transaction: do it in batches, by a job of the service'];
}

function judgeRows(node: { relation?: RangeVar }, script: Script): string[] {
  return isFresh(node.relation, script)
    ? []
    : ['changing many rows in one transaction: do it in batches, by a job of the service'];
}

function judgeAlterTable(
  node: { relation?: RangeVar; cmds?: Node[]; objtype?: string },
  script: Script,
): string[] {
  if (isFresh(node.relation, script)) return [];
  return commandsOf(node.cmds).flatMap(({ AlterTableCmd: command }) => judgeCommand(command, script));
}

/** Commands that take a lock for a moment and change nothing that the old version relies on. */
const BRIEF = new Set(['AT_SetRelOptions', 'AT_ResetRelOptions', 'AT_SetStatistics', 'AT_SetStorage']);

function judgeCommand(command: AlterTableCmd, { unchecked }: Script): string[] {
  const { subtype = '', def, name = '' } = command;
  if (BRIEF.has(subtype)) return [];
  switch (subtype) {
    case 'AT_AddColumn':
      return def && 'ColumnDef' in def ? judgeColumn(def.ColumnDef) : [];
    case 'AT_AddConstraint':
      return judgeConstraint(constraintOf(def));
    case 'AT_ValidateConstraint':
      return unchecked.has(name)
        ? ['checking the rows under the lock that added the constraint: VALIDATE in a later migration']
        : [];
    case 'AT_ColumnDefault':
      return def ? [] : ['the old version may leave the column out'];
    case 'AT_DropColumn':
      return ['the old version still reads and writes the column'];
    case 'AT_AlterColumnType':
      return ['another type may rewrite the table and breaks prepared statements: add a column beside it'];
    case 'AT_SetNotNull':
      return [
        'it reads the whole table under lock: ADD CONSTRAINT … NOT NULL … NOT VALID, VALIDATE it later',
      ];
    case 'AT_DropNotNull':
      return ['the old version meets nulls that it does not expect'];
    case 'AT_DropConstraint':
      return ['the old version may rely on it (ON CONFLICT, errors by its name)'];
    default:
      return [`${subtype} is not known to be safe`];
  }
}

function judgeConstraint(constraint: Constraint | undefined): string[] {
  switch (constraint?.contype) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
    case 'CONSTR_NOTNULL':
      return constraint.skip_validation
        ? []
        : ['it reads the whole table under lock: NOT VALID, and VALIDATE it later'];
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return constraint.indexname
        ? []
        : ['it builds an index under lock: build it CONCURRENTLY, then USING INDEX'];
    default:
      return ['this kind of constraint is built under lock'];
  }
}

const STABLE = new Set(['now', 'transaction_timestamp', 'statement_timestamp']);

function judgeColumn(column: ColumnDef): string[] {
  const constraints = (column.constraints ?? []).map(constraintOf).filter((one) => one !== undefined);
  const types = constraints.map(({ contype }) => contype);
  const faults: string[] = [];
  const defaulted = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  if (types.includes('CONSTR_NOTNULL') && !defaulted) {
    faults.push('the old version does not fill the column: give it a default');
  }
  if (/serial/.test(lastName(column.typeName?.names)) || types.includes('CONSTR_IDENTITY')) {
    faults.push('a sequence’s default rewrites the table');
  }
  if (defaulted && callsOf(defaulted.raw_expr).some((call) => !STABLE.has(call))) {
    faults.push('a default that differs by row rewrites the table: add the column, set the default after');
  }
  const stored = constraints.some((one) => one.contype === 'CONSTR_GENERATED' && one.generated_kind !== 'v');
  if (stored) faults.push('a stored generated column rewrites the table');
  if (types.some((type) => type === 'CONSTR_UNIQUE' || type === 'CONSTR_PRIMARY')) {
    faults.push('it builds an index under lock: build it CONCURRENTLY later');
  }
  if (types.some((type) => type === 'CONSTR_CHECK' || type === 'CONSTR_FOREIGN')) {
    faults.push('it reads the whole table under lock: ADD CONSTRAINT … NOT VALID');
  }
  return faults;
}

/** The names of all functions that an expression calls. */
function callsOf(expression: unknown): string[] {
  if (typeof expression !== 'object' || expression === null) return [];
  return Object.entries(expression).flatMap(([key, value]) =>
    key === 'FuncCall' ? [lastName((value as { funcname?: Node[] }).funcname)] : callsOf(value),
  );
}
