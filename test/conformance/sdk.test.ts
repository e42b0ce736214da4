import { describeAnswers } from './describeAnswers';
import { describeCustody } from './suite';
import { throughSdks } from './ways';

const way = throughSdks();
describeCustody(way);
describeAnswers(way);
