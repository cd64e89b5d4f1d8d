import { wrong } from './no-circle';

export const other = (): unknown => wrong;
