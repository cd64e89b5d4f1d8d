export type { Contract, Operation, Schema } from './contract';
export { contractOf } from './contract-of';
export { contractBreaks, sentenceOf } from './contract-breaks';
