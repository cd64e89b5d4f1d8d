export { approvalOperatorOf } from './approval';
export type { Approval, ApprovalOperator, ApprovalStatus, NewApproval } from './approval';
export { approvalConfig, needsApproval } from './approval-policy';
export type { ApprovalSettings } from './approval-policy';
export { ApprovalRepository } from './approval.repository';
export { approvalService } from './approval-service';
