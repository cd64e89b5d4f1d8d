// What every contract is written with; a file of cases imports it from here, and beside it only what its service arranges.
export { expect } from '@jest/globals';
export type { ErrorCode } from '@reseller/errors';
export { eventually } from '@reseller/testing';
export { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
export * from './contract';
export { lists } from './list-sentences';
export { operatorNamed, type Caller, type Party } from './party';
export { refusalOf, settled } from './refusal';
export * from './variations';
export type { World } from './world';
