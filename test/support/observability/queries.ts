import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = join(__dirname, '..', '..', '..', 'observability');
export const alertsFile = join(folder, 'alerts.yml');

/** A query of a panel or of an alert, and its place in the files. */
export type Query = { where: string; expr: string };

const dashboard = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      description: z.string().min(1),
      targets: z.array(z.object({ expr: z.string() })).min(1),
    }),
  ),
});

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

/** The queries of all panels, in the form that Grafana sends. */
export function panelQueries(): Query[] {
  const dashboards = join(folder, 'grafana', 'dashboards');
  return readdirSync(dashboards).flatMap((file) => {
    const { panels } = dashboard.parse(JSON.parse(readFileSync(join(dashboards, file), 'utf8')));
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({
        where: `${file}: ${title}`,
        expr: expr.replaceAll('$__rate_interval', '1m'),
      })),
    );
  });
}

export function alertRules() {
  const { groups } = rules.parse(parse(readFileSync(alertsFile, 'utf8')));
  return groups.flatMap((group) => group.rules);
}

export function alertQueries(): Query[] {
  return alertRules().map(({ alert, expr }) => ({ where: alert, expr }));
}

/** The metrics that a query names, without the suffixes of a histogram's series. */
export function metricsOf({ expr }: Query): string[] {
  const names = expr.match(/\b(steadfast|temporal)_[a-z_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** The labels that a query filters or groups by. */
export function labelsOf({ expr }: Query): string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  const picked = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(=|!=|=~|!~)"/g)].map(([, label = '']) => label),
  );
  return [...new Set([...grouped, ...picked].map((label) => label.trim()))];
}
