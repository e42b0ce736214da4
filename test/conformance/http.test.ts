import { describeAnswers } from './describeAnswers';
import { describeCustody } from './suite';
import { overHttp } from './ways';

const way = overHttp();
describeCustody(way);
describeAnswers(way);
