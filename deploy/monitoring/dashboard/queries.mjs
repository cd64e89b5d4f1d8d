/**
 * A row of the dashboard: a panel is a title, what it says, a unit and its expressions with their legends.
 * @typedef {{ title: string, panels: [title: string, description: string, unit: string, targets: [expr: string, legend: string][]][] }} Row
 */

/** The range of a rate, as Grafana chooses it. */
export const RATE = '$__rate_interval';
/** Matchers of the partner API's requests. */
export const API = 'job="gateway", route=~"/api/v1/.+", instance=~"$instance"';
/** Matchers of the services and instances that are chosen. */
export const OF = 'service=~"$service", instance=~"$instance"';

/** Three quantiles of a histogram in seconds, by labels. */
export const p50to99 = (metric, by, matchers = '') =>
  [0.5, 0.95, 0.99].map((q) => [
    `histogram_quantile(${q}, sum by (${['le', ...by].join(', ')}) (rate(${metric}_bucket{${matchers}}[${RATE}])))`,
    `p${q * 100}${by.map((label) => ` {{${label}}}`).join('')}`,
  ]);
