package gym

import "maps"

// handlers are all operations by their operationId; each noun's file lists its own.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{
		profileHandlers(), memberHandlers(), memberWrites(), bookingHandlers(), bookingWrites(), sessionHandlers(), sessionWrites(),
		classTypeHandlers(), programmingHandlers(), workoutHandlers(), workoutWrites(), programHandlers(), assignmentHandlers(),
		membershipHandlers(), leadHandlers(), leadWrites(), taskHandlers(), formHandlers(), automationHandlers(), inboxHandlers(),
		messageHandlers(), announcementHandlers(), helpHandlers(), analyticsHandlers(), revenueHandlers(),
	} {
		maps.Copy(all, some)
	}
	return all
}
