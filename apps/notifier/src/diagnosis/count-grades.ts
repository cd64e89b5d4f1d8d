import type { WebhookGrade } from '@reseller/presenters';
import { Counter, type Registry } from 'prom-client';

const GRADES: readonly WebhookGrade[] = ['Pass', 'Warn', 'Fail'];

/** Counts diagnoses by their grade. */
export function countGrades(registry: Registry): (grade: WebhookGrade) => void {
  const diagnoses = new Counter({
    name: 'webhook_diagnoses_total',
    help: "Diagnoses of partners' receivers that ended, by grade. Sum over instances.",
    labelNames: ['grade'],
    registers: [registry],
  });
  for (const grade of GRADES) diagnoses.inc({ grade }, 0);
  return (grade) => diagnoses.inc({ grade });
}
