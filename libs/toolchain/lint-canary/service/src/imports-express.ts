import express from 'express';

export const wrong = express;
