// What declares tests, and so is imported by tests alone: the rest of this library runs in programs as well.
export { describeServiceLife } from './describe-service-life';
export type { LivingService } from './describe-service-life';
export { describeWith } from './describe-with';
