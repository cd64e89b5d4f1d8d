// The overview as data: a file of dashboard/ is a row, with its panels. `npm run monitoring` writes it out as Grafana's
// JSON; ids and places follow from the order here.

import { events } from './dashboard/events.mjs';
import { money } from './dashboard/money.mjs';
import { orders } from './dashboard/orders.mjs';
import { partnerApi } from './dashboard/partner-api.mjs';
import { services } from './dashboard/services.mjs';

/** The rows of the dashboard, from top to bottom. */
export const rows = [partnerApi, orders, money, events, services];

const WIDTH = 8;
const HEIGHT = 8;
const COLUMNS = 24 / WIDTH;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The rows as Grafana's panels, each with an id and a place of its own. */
function panelsOf() {
  const panels = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { h: 1, w: 24, x: 0, y },
    });
    y += 1;
    row.panels.forEach(([title, description, unit, targets], n) => {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title,
        description,
        datasource,
        gridPos: { h: HEIGHT, w: WIDTH, x: (n % COLUMNS) * WIDTH, y: y + Math.floor(n / COLUMNS) * HEIGHT },
        fieldConfig: {
          defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } },
          overrides: [],
        },
        options: {
          legend: { displayMode: 'list', placement: 'bottom' },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
        targets: targets.map(([expr, legendFormat], at) => ({
          refId: String.fromCharCode(65 + at),
          datasource,
          expr,
          legendFormat,
        })),
      });
    });
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT;
  }
  return panels;
}

const variable = (name, label, query) => ({
  name,
  label,
  type: 'query',
  datasource,
  query: { query, refId: name },
  definition: query,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { selected: true, text: ['All'], value: ['$__all'] },
  refresh: 2,
  sort: 1,
});

/** The whole dashboard. */
export const dashboard = {
  uid: 'partner-reseller',
  title: 'Partner Reseller: overview',
  tags: ['partner-reseller'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  timezone: 'utc',
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  annotations: {
    list: [
      {
        name: 'Alerts',
        datasource,
        enable: true,
        iconColor: 'red',
        expr: 'ALERTS{alertstate="firing", alertname!="Watchdog"}',
        titleFormat: '{{alertname}}',
      },
    ],
  },
  templating: {
    list: [
      {
        name: 'datasource',
        label: 'Data source',
        type: 'datasource',
        query: 'prometheus',
        current: {},
        hide: 0,
      },
      variable('service', 'Service', 'label_values(process_start_time_seconds, service)'),
      variable(
        'instance',
        'Instance',
        'label_values(process_start_time_seconds{service=~"$service"}, instance)',
      ),
    ],
  },
  links: [],
  panels: panelsOf(),
};
