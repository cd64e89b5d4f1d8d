export { activationFor } from './activation';
export type { EsimActivation } from './activation';
export { VENDOR_SIMULATION_SQL } from './journal.sql';
export { OUTCOMES, scenarioFor } from './outcomes';
export type { Scenario, VendorSubmission, Verdict } from './outcomes';
export { SimulatedDrop, SimulatedKeyReuse, SimulatedOutage } from './simulated-errors';
export { createVendorSimulation } from './vendor-simulation';
export type { JournalEntry, VendorAnswer, VendorSimulation } from './vendor-simulation';
