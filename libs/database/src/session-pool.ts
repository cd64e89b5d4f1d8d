import { PatientPool } from './patient-pool';

/** A pool whose connections are sessions of the server's, kept for as long as they are checked out; no other pool passes for one. */
export class SessionPool extends PatientPool {
  protected readonly keepsSessions = true;
}
