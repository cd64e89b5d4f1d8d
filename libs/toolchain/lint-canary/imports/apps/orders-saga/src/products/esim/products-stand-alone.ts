import { plan } from '../topup/plan';

export const wrong = plan;
