import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const MONITORING = path.join(__dirname, '../monitoring');

interface Alert {
  readonly alert: string;
}
interface Case {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}
interface Test {
  readonly alert_rule_test: readonly Case[];
}

const read = <T>(file: string): T => parse(readFileSync(path.join(MONITORING, file), 'utf8')) as T;

/** What promtool is to find, by `promtool test rules deploy/monitoring/*.test.yml`. */
function readCases(): Case[] {
  const files = readdirSync(MONITORING).filter((file) => file.endsWith('.test.yml'));
  const tests = files.flatMap((file) => read<{ tests: Test[] }>(file).tests);
  return tests.flatMap((test) => test.alert_rule_test);
}

const alerts = read<{ groups: { rules: Alert[] }[] }>('rules/alerts.yml')
  .groups.flatMap(({ rules }) => rules)
  .map(({ alert }) => alert);
const cases = readCases();
const without = (isWanted: (one: Case) => boolean): string[] =>
  alerts.filter((alert) => !cases.some((one) => one.alertname === alert && isWanted(one)));

describe('the cases of alerts', () => {
  it('when an alert is added, then a case shows it firing', () => {
    expect(without(({ exp_alerts: expected }) => expected.length > 0)).toEqual([]);
  });

  it('when an alert is added, then a case shows it staying quiet, but for the one that always fires', () => {
    expect(without(({ exp_alerts: expected }) => expected.length === 0)).toEqual(['Watchdog']);
  });

  it('when a case names an alert, then there is one', () => {
    expect(cases.map(({ alertname }) => alertname).filter((name) => !alerts.includes(name))).toEqual([]);
  });
});
